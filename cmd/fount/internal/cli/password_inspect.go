// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password inspect: what a stored hash says.

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

const passwordInspectLong = `fount password inspect prints what a stored hash says: its algorithm, form, salt length,
costs and key, whether the limits allow it, and whether --policy asks for a new hash. The hash is HASH, or the first
one on standard input, which may be any store that fount password survey reads.

It computes no hash and prints neither salt nor sum. Exit status 2 if fount can't read the hash.`

func newPasswordInspect() *cobra.Command {
	var f storeFlags
	asJSON := false
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
			return runPasswordInspect(cmd, in, f, asJSON)
		},
	}

	f.addTo(cmd, readAsForm)
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

func runPasswordInspect(cmd *cobra.Command, in io.Reader, f storeFlags, asJSON bool) error {
	policy := withForms(f.policy, f.forms...)
	line, err := hashfile.NewReader(in, policy, f.column).Find("")
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
	return printResult(cmd.OutOrStdout(), asJSON, r, r.text)
}

// text is a line for each thing there is to say.
func (r inspectReport) text(s show.Style) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			b.WriteString(show.Row(name, value, 13, s.Width))
		}
	}

	if r.Form != "" {
		line("form", r.Form+", of another maker")
	}
	line("algorithm", strings.TrimSpace(r.Algorithm+" "+r.Variant))
	line("cost", costText(r.Info))

	if r.Wraps != "" {
		line("wraps", "a hash of "+r.Wraps+", whose sum it hashes")
	}
	line("prehash", r.PreHash)
	line("key", r.KeyID)

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
	if i.Cost == 0 { // of a digest that is taken once
		return ""
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
