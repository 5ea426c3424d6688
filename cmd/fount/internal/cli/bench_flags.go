// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The flags of fount bench, under go test's names.

package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fount/lab/machine"
	"fount/lab/show"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// benchFlags are the flags of the benchmarks that are no studies.
type benchFlags struct {
	bench *regexp.Regexp
	file  string
	json  bool
}

// check finds what excludes what.
func (f *benchFlags) check() error {
	if f.file == "-" && f.json {
		return usagef("-o - and --json exclude each other; use one of them")
	}
	return nil
}

// titleOf is a command with all its words, the machine, and what else is to be said of it.
func titleOf(words string, m machine.Facts, s show.Style, more ...string) string {
	facts := slices.DeleteFunc(append([]string{m.CPU, strings.TrimSpace(m.OS + " " + m.Kernel), m.GoVersion}, more...),
		func(fact string) bool { return fact == "" })
	return show.Paragraph(words, s.Width, "", "  ") + show.Paragraph(strings.Join(facts, ", "), s.Width, "", "")
}

// number defines a flag for a number from least to most; short may be "". what is the number and an example, as in "number
// of runs; use for example 10".
func number(flags *pflag.FlagSet, dst *int, name, short, usage string, least, most int, what string) {
	what, example, _ := strings.Cut(what, ";")
	flags.FuncP(name, short, usage, func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < least || n > most {
			return fmt.Errorf("%q is not a %s from %d to %d;%s", s, what, least, most, example)
		}
		*dst = n
		return nil
	})
}

// choice defines a flag for one of some words, and completes it; short may be "".
func choice(cmd *cobra.Command, dst *string, name, short, usage, what string, words ...string) {
	cmd.Flags().FuncP(name, short, usage, func(s string) error {
		if !slices.Contains(words, s) {
			return fmt.Errorf("%q is not %s; use %s", s, what, show.Choice(words))
		}
		*dst = s
		return nil
	})
	complete := cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the flag is defined above
	}
}
