// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password verify and fount password inspect: one stored hash, from an argument, a file or
// standard input.

package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"fount/cmd/fount/internal/survey"
	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/policytext"
	"fount/internal/hashfile"
	"fount/password"

	"github.com/spf13/cobra"
)

// verifyFlags are the flags of fount password verify: a policy, and where the hash is.
type verifyFlags struct {
	policy password.Policy
	file   string
	column string // of a CSV file; "" if the file is none
	user   string // whose line has the hash; "": the first line
	forms  []string
}

// read returns the line that holds the hash: the argument, or a line of --hash-file.
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

// readAsForm is the usage of --form.
const readAsForm = "read hashes that several programs write alike as `FORM` made them; repeat for more"

const passwordVerifyLong = `fount password verify reads a password and says whether it matches a stored hash, and
whether --policy asks for a new hash.

HASH needs single quotes, as the shell takes $ for variables. FILE may be any store that fount password survey reads.
NAME is a user of that store, or a line number if its lines have no names.

Exit status 0 if the password matches, 1 if it does not. 2 if that can't be told: the hash is malformed, or asks for
more work than the limits allow.`

func newPasswordVerify() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify HASH | --hash-file FILE [flags]",
		Short: "say whether a password matches a hash",
		Long:  passwordVerifyLong,
		Example: `  fount password verify --hash-file hash       asks for the password
  fount password verify --hash-file .htpasswd --user ada
  printf %s "$SECRET" | fount password verify '$2b$12$...'`,
		Args: secretArgs("", 1),
		RunE: func(cmd *cobra.Command, args []string) error { return runPasswordVerify(cmd, args, f) },
	}

	policyFlag(cmd, &f.policy)
	textFlag(cmd.Flags(), &f.file, "hash-file", "", "read the hash from the first line of `FILE`", "file name; use for example hash")
	must(cmd.MarkFlagFilename("hash-file"))
	csvFlag(cmd, &f.column)
	formFlag(cmd, &f.forms, readAsForm)
	parsedFlag(cmd.Flags(), &f.user, "user", "", "read the hash from the line of the user `NAME`",
		func(s string) (string, bool) { return s, isUser(s) }, wantUser)
	return cmd
}

func runPasswordVerify(cmd *cobra.Command, args []string, stored verifyFlags) error {
	policy := withForms(stored.policy, stored.forms...)
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

// undecided returns the error of a check that found neither a match nor a mismatch.
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
		text += "needs rehash: replace the hash by a new one of the policy\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

const passwordInspectLong = `fount password inspect prints what a stored hash says: its algorithm, form, salt length,
costs and key, whether the limits allow it, and whether --policy asks for a new hash. The hash is HASH, or the first
one on standard input, which may be any store that fount password survey reads.

It computes no hash and prints neither salt nor sum. Exit status 2 if fount can't read the hash.`

func newPasswordInspect() *cobra.Command {
	var policy password.Policy
	var forms []string
	column, asJSON := "", false
	cmd := &cobra.Command{
		Use:   "inspect [HASH] [flags]",
		Short: "print the algorithm, costs and form of a stored hash",
		Long:  passwordInspectLong,
		Example: `  fount password inspect --policy bcrypt <hash
  fount password inspect --json <hash | jq .needs_rehash`,
		Args: secretArgs("hash", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := cmd.InOrStdin()
			if len(args) > 0 {
				in = strings.NewReader(args[0])
			}
			return runPasswordInspect(cmd, in, column, withForms(policy, forms...), asJSON)
		},
	}

	policyFlag(cmd, &policy)
	csvFlag(cmd, &column)
	formFlag(cmd, &forms, readAsForm)
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
	r := inspectReport{
		Info:        info,
		Algorithm:   algorithm,
		Unsalted:    unsalted,
		Policy:      policytext.Of(policy),
		NeedsRehash: password.NeedsRehash(policy, encoded),
	}
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
