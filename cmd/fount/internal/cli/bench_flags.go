// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Flags of numbers and of words.

package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fount/lab/show"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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
