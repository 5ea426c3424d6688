// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Usage errors: one line that says what is wrong, with which value, and what would be right.

package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usagef is an error that ends the program with statusUsage.
func usagef(format string, args ...any) error {
	return &exitError{statusUsage, fmt.Sprintf(format, args...)}
}

// rootArgs refuses every argument: cobra hands the root command those that name no command.
func rootArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	known := []string{"--help", "--version"}
	for _, sub := range cmd.Commands() {
		known = append(known, sub.Name())
	}
	return usagef("unknown command %q; %s", args[0], suggest(args[0], known, "fount --help lists the commands"))
}

// atMost is the Args of a command that takes up to n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return usagef("unexpected argument %q; usage: %s", args[n], cmd.UseLine())
	}
}

// flagError rewords the errors of pflag.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &missing):
		what, _ := pflag.UnquoteUsage(missing.GetFlag())
		return usagef("%s needs a value: %[1]s %s", flagName(missing.GetFlag()), what)
	case errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "bool":
		return usagef("%s takes no value, and %q was given", flagName(invalid.GetFlag()), invalid.GetValue())
	case errors.As(err, &invalid):
		return usagef("%s %v", flagName(invalid.GetFlag()), invalid.Unwrap())
	}
	return usagef("%v; see %s --help", err, cmd.CommandPath())
}

func unknownFlag(cmd *cobra.Command, err *pflag.NotExistError) error {
	if group := err.GetSpecifiedShortnames(); group != "" {
		if takesNumber.MatchString(cmd.Use) && strings.Trim(group, "0123456789KMGkmg") == "" {
			return cmd.ValidateArgs([]string{"-" + group}) // a negative number, not a flag
		}
		return usagef("unknown flag -%s; see %s --help", err.GetSpecifiedName(), cmd.CommandPath())
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	name := "--" + err.GetSpecifiedName()
	return usagef("unknown flag %s; %s", name, suggest(name, known, "see "+cmd.CommandPath()+" --help"))
}

// takesNumber matches the usage of a command whose first argument is a number.
var takesNumber = regexp.MustCompile(`^\w+ \[[N0-9]`)

// renamed accepts a flag by a name that it had.
func renamed(flags *pflag.FlagSet, was, is string) {
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == was {
			name = is
		}
		return pflag.NormalizedName(name)
	})
}

// flagName is the flag as most would type it.
func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// suggest asks for the known word nearest to the typed one, or returns otherwise if none is near. Of two equally near, it
// takes the one with the same first letter: most slips come later in a word.
func suggest(typed string, known []string, otherwise string) string {
	best, least := "", 3 // two slips of the finger are near, three are another word
	for _, word := range known {
		d := distance(typed, word)
		alike := best != "" && typed != "" && best[0] != typed[0] && word[0] == typed[0]
		if (d < least || d == least && alike) && d < len(word)-1 {
			best, least = word, d
		}
	}
	if best == "" {
		return otherwise
	}
	return "did you mean " + best + "?"
}

// distance is the least number of bytes to insert, delete or replace that turns a into b (Levenshtein, by rows).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
