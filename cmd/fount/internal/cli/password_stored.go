// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password verify and inspect: one stored hash, from an argument, a file or standard input.

package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/lab/survey"
	"fount/cmd/internal/policytext"
	"fount/internal/hashfile"
	"fount/password"

	"github.com/spf13/cobra"
)

// verifyFlags say where a stored hash is, and what it is compared with.
type verifyFlags struct {
	policy password.Policy
	file   string
	column string // of a CSV; "": lines
	user   string // "": of the first line
}

// read returns the line of the hash: the argument, or of the file, or of standard input for "-".
func (f *verifyFlags) read(cmd *cobra.Command, args []string, policy password.Policy) (hashfile.Line, error) {
	switch {
	case len(args) > 0 && (f.file != "" || f.user != "" || f.column != ""):
		return hashfile.Line{}, usagef("the hash is given twice; use either the argument or --hash-file")
	case len(args) > 0:
		return hashfile.NewReader(strings.NewReader(args[0]), policy, "").Find("")
	case f.file == "":
		return hashfile.Line{}, usagef("the stored hash is missing; usage: %s", cmd.UseLine())
	}
	store, err := openStore(cmd, f.file)
	if err != nil {
		return hashfile.Line{}, err
	}
	defer store.close()
	line, err := hashfile.NewReader(store, policy, f.column).Find(f.user)
	if err != nil {
		err = store.explain(err)
	}
	return line, err
}

const passwordVerifyLong = `fount password verify: read a password and say whether it matches a stored hash.

Exit status 0: it matches. 1: it does not. 2: it can't tell, because the hash is
malformed or asks for more work than the limits allow. It compares the hash with
--policy, and says if a match should be hashed anew. Put the hash between single
quotes: the shell takes its $ for variables. The file may be any that fount
password survey reads. With --user, one of its lines is NAME's; a line without
a name has its number for one.`

func newPasswordVerify() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify HASH | --hash-file FILE [flags]",
		Short: "check a password against a hash",
		Long:  passwordVerifyLong,
		Example: `  fount password verify --hash-file hash       asks for the password
  fount password verify --hash-file .htpasswd --user ada
  printf %s "$SECRET" | fount password verify '$2b$12$...'`,
		Args: secretArgs("", 1),
		RunE: func(cmd *cobra.Command, args []string) error { return runPasswordVerify(cmd, args, f) },
	}
	policyFlag(cmd, &f.policy, usualPolicy)
	filled(cmd.Flags(), &f.file, "hash-file", "", "take the hash from the first line of `FILE`", "file name; use for example hash")
	must(cmd.MarkFlagFilename("hash-file"))
	csvFlag(cmd, &f.column)
	userFlag(cmd, &f.user, "take it from `NAME`'s line")
	return cmd
}

func runPasswordVerify(cmd *cobra.Command, args []string, stored verifyFlags) error {
	policy := readingAll(stored.policy)
	line, err := stored.read(cmd, args, policy)
	switch {
	case err != nil:
		return undecided(err)
	case line.Named() && stored.user == "":
		return usagef("the line is a user's, NAME:HASH; say whose hash with --user NAME")
	case line.Locked:
		return undecided(errors.New("the account is locked, by a mark before its hash"))
	}
	encoded := line.Hash
	if err := policy.Check(encoded); err != nil { // before it asks for a password
		return undecided(err)
	}
	secret, err := readPassword(cmd, false)
	defer clear(secret)
	if err != nil {
		return undecided(err)
	}
	if len(secret) == 0 {
		return undecided(errEmpty)
	}
	result, err := password.Verify(policy, secret, encoded)
	if errors.Is(err, password.ErrMismatch) {
		return &exitError{statusFailed, "mismatch"}
	}
	if err == nil {
		err = printMatch(cmd.OutOrStdout(), result)
	}
	if err != nil && !isReaderGone(err) {
		err = undecided(err)
	}
	return err
}

// undecided is the error of a check that found neither a match nor a mismatch.
func undecided(err error) error {
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit
	}
	return &exitError{statusUsage, plain(err).Error()}
}

func printMatch(out io.Writer, r password.Result) error {
	text := "match\n"
	if r.Truncated {
		text += "truncated: the hash is of the first 72 bytes of the password\n"
	}
	if r.NeedsRehash {
		text += "needs rehash: it should be replaced by one of the policy\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

const passwordInspectLong = `fount password inspect: read a stored hash from an argument, or the first hash of
standard input, in any file that fount password survey reads, and say what it
is: algorithm, form, salt, costs, key, whether the limits allow it, and whether
--policy would make another.
It computes no hash and prints neither salt nor sum. Exit status 2 if fount does
not read such hashes.`

func newPasswordInspect() *cobra.Command {
	var policy password.Policy
	column, asJSON := "", false
	cmd := &cobra.Command{
		Use:   "inspect [HASH] [flags]",
		Short: "say what a stored hash is",
		Long:  passwordInspectLong,
		Example: `  fount password inspect --policy bcrypt <hash
  fount password inspect --json <hash | jq .needs_rehash`,
		Args: secretArgs("hash", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := cmd.InOrStdin()
			if len(args) > 0 {
				in = strings.NewReader(args[0])
			}
			return runPasswordInspect(cmd, in, column, readingAll(policy), asJSON)
		},
	}
	policyFlag(cmd, &policy, usualPolicy)
	csvFlag(cmd, &column)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// An inspectReport is what --json prints.
type inspectReport struct {
	password.Info
	Algorithm   string `json:"algorithm"` // also of what a Format computes
	Unsalted    bool   `json:"unsalted"`
	Policy      string `json:"policy"`
	NeedsRehash bool   `json:"needs_rehash"`
}

func runPasswordInspect(cmd *cobra.Command, in io.Reader, column string, policy password.Policy, asJSON bool) error {
	line, err := hashfile.NewReader(in, policy, column).Find("")
	if errors.Is(err, password.ErrMalformed) {
		return usagef("%v", plain(err))
	}
	if err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	encoded := line.Hash
	info, err := policy.Inspect(encoded)
	if err != nil {
		return plain(err)
	}
	algorithm, unsalted := survey.Describe(info, encoded)
	r := inspectReport{info, algorithm, unsalted, policytext.Of(policy), password.NeedsRehash(policy, encoded)}
	return printResult(cmd, asJSON, r, r.text)
}

// text is a line for each thing there is to say.
func (r inspectReport) text(s show.Style) string {
	var b strings.Builder
	line := func(name, value string) { b.WriteString(show.Row(name, value, 13, s.Width)) }
	if r.Form != "" {
		line("form", r.Form+", of another maker")
	}
	line("algorithm", strings.TrimSpace(r.Algorithm+" "+r.Variant))
	if cost := costText(r.Info); cost != "0" { // a digest that is taken once has none
		line("cost", cost)
	}
	if r.Wraps != "" {
		line("wraps", "a hash of "+r.Wraps+", whose sum it hashes")
	}
	if r.PreHash != "" {
		line("prehash", r.PreHash)
	}
	if r.KeyID != "" {
		line("key", r.KeyID)
	}
	switch {
	case r.Unsalted:
		line("salt", "none: equal passwords have equal hashes")
	case r.SaltLen > 0:
		line("salt", fmt.Sprintf("%d bytes", r.SaltLen))
	}
	line("sum", fmt.Sprintf("%d bytes", r.SumLen))
	if r.Bytes > 0 {
		line("memory", show.Size(float64(r.Bytes)))
	}
	if r.Truncates {
		line("truncates", "only the first 72 bytes of the password count")
	}
	line("guards", guardsText(r.Info))
	rehash := "no, " + r.Policy + " makes no harder one"
	if r.NeedsRehash {
		rehash = "yes, to one of " + r.Policy
	}
	line("needs rehash", rehash)
	return b.String()
}

// costText names the parameters as stored hashes do.
func costText(i password.Info) string {
	switch {
	case i.Memory > 0:
		return fmt.Sprintf("m=%d,t=%d,p=%d", i.Memory, i.Iterations, i.Parallelism)
	case i.BlockSize > 0:
		return fmt.Sprintf("ln=%d,r=%d,p=%d", i.Cost, i.BlockSize, i.Parallelism)
	case i.Iterations > 0:
		return fmt.Sprintf("i=%d", i.Iterations)
	}
	return strconv.Itoa(i.Cost)
}

func guardsText(i password.Info) string {
	switch {
	case i.OverLimits:
		return "refused: it asks for more work than the default limits allow"
	case i.BelowOWASP && i.Algorithm == password.Foreign:
		return "passed, but OWASP does not recommend its algorithm"
	case i.BelowOWASP:
		return "passed, but it is below OWASP's minimum for its algorithm"
	}
	return "passed"
}
