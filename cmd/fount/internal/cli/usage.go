// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Usage errors. Each says what is wrong, with which value, and what would be right.

package cli

import (
	"errors"
	"fmt"

	"fount/cmd/internal/lab/show"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// unknownCommand returns a usage error for args, none of which names a subcommand, and nil if there
// are no arguments. The error calls a subcommand noun.
func unknownCommand(cmd *cobra.Command, noun string, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usagef("unknown %s %q; did you mean %s?", noun, args[0], show.Choice(near))
	}
	return usagef("unknown %s %q; %s --help lists them", noun, args[0], cmd.CommandPath())
}

// usagef returns an error that ends the program with statusUsage.
func usagef(format string, args ...any) error {
	return &exitError{statusUsage, fmt.Sprintf(format, args...)}
}

// atMost returns the Args of a command that takes at most n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return usagef("unexpected argument %q; usage: %s", args[n], cmd.UseLine())
	}
}

// exactlyOne returns the Args of a command that takes one argument. Errors call the argument noun.
func exactlyOne(noun string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 || args[0] == "" {
			return usagef("%s is missing; usage: %s", noun, cmd.UseLine())
		}
		return atMost(1)(cmd, args)
	}
}

// flagError returns the usage error for an error of pflag.
func flagError(cmd *cobra.Command, err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return usagef("--%s %v", invalid.GetFlag().Name, invalid.Unwrap())
	}
	return usagef("%v; see %s --help", err, cmd.CommandPath())
}
