// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount password inspect: what a stored hash says of itself.

package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fount/internal/policytext"
	"fount/lab/show"
	"fount/lab/survey"
	"fount/password"

	"github.com/spf13/cobra"
)

const passwordInspectLong = `fount password inspect: read a stored hash from an argument, a file or standard
input, and say what it is: algorithm, form, whether it has a salt, costs, key,
whether the limits allow it, and whether --policy would make another. It
computes no hash and prints neither salt nor sum. Exit status 2 if fount does
not read such hashes. --json: algorithm, unsalted, form, variant, prehash,
wraps, key_id, cost, memory_kib, iterations, block_size, parallelism,
salt_bytes, sum_bytes, memory_bytes, truncates, over_limits, below_owasp,
policy, needs_rehash.`

func newPasswordInspect() *cobra.Command {
	var stored storedFlags
	cmd := &cobra.Command{
		Use:   "inspect [HASH | --hash-file FILE] [flags]",
		Short: "say what a stored hash is",
		Long:  passwordInspectLong,
		Example: `  fount password inspect --hash-file hash --policy bcrypt
  fount password inspect --json <hash | jq .needs_rehash`,
		Args: secretArgs("hash", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runPasswordInspect(cmd, args, stored)
		},
	}
	stored.addTo(cmd)
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

func runPasswordInspect(cmd *cobra.Command, args []string, stored storedFlags) error {
	policy := readingAll(stored.policy)
	encoded, err := stored.read(cmd, args, true)
	if err != nil {
		return err
	}
	info, err := policy.Inspect(encoded)
	if errors.Is(err, password.ErrMalformed) {
		return usagef("%v", plain(err))
	}
	if err != nil {
		return err
	}
	algorithm, unsalted := survey.Describe(info, encoded)
	r := inspectReport{info, algorithm, unsalted, policytext.Of(policy), password.NeedsRehash(policy, encoded)}
	return printResult(cmd, stored.asJSON, r, r.text)
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
	var parts []string
	add := func(name string, value int) {
		if value > 0 {
			parts = append(parts, name+"="+strconv.Itoa(value))
		}
	}
	switch i.Algorithm {
	case password.Bcrypt, password.Foreign:
		return strconv.Itoa(i.Cost)
	case password.Scrypt:
		add("ln", i.Cost)
	}
	add("m", i.Memory)
	iterations := "t"
	if i.Memory == 0 {
		iterations = "i"
	}
	add(iterations, i.Iterations)
	add("r", i.BlockSize)
	add("p", i.Parallelism)
	return strings.Join(parts, ",")
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
