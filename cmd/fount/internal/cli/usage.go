// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Usage: help, commands that have commands, the version, and errors of one line, which say what is wrong, with which value,
// and what would be right.

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"fount/lab/show"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// printHelp writes the help of cmd to its output.
func printHelp(cmd *cobra.Command) error {
	text := vetPage(cmd)
	if text == "" {
		about := cmd.Long
		if about == "" {
			about = cmd.CommandPath() + ": " + cmd.Short + "."
		}
		text = strings.TrimSpace(about) + "\n\n" + cmd.UsageString()
	}
	_, err := io.WriteString(cmd.OutOrStdout(), text)
	return err
}

// parent makes cmd a command that prints its help, and adds subs to it. what is what they are to the user.
func parent(cmd *cobra.Command, what string, subs ...*cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, what, args) }
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return printHelp(cmd) }
	addSubcommands(cmd, subs...)
	return cmd
}

// addSubcommands adds commands to one.
func addSubcommands(cmd *cobra.Command, subs ...*cobra.Command) {
	for _, sub := range subs {
		sub.DisableFlagsInUseLine = true // Use lists them
		if sub.ValidArgsFunction == nil {
			sub.ValidArgsFunction = cobra.NoFileCompletions
		}
		cmd.AddCommand(sub)
	}
}

// unknownCommand refuses every argument of a command that has commands: one that names a command never comes here.
func unknownCommand(cmd *cobra.Command, what string, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usagef("unknown %s %q; did you mean %s?", what, args[0], show.Choice(near))
	}
	return usagef("unknown %s %q; %s --help lists them", what, args[0], cmd.CommandPath())
}

// usagef is an error that ends the program with statusUsage.
func usagef(format string, args ...any) error {
	return &exitError{statusUsage, fmt.Sprintf(format, args...)}
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
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return usagef("--%s %v", invalid.GetFlag().Name, invalid.Unwrap())
	}
	return usagef("%v; see %s --help", err, cmd.CommandPath())
}

// completeFile offers files for an argument.
func completeFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "version of fount and Go, operating system, architecture",
		Example: "  fount version",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "fount %s (%s %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// version is the module's, which carries the revision of a build in a repository.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "(devel)" {
		return cmp.Or(info.Main.Version, "devel")
	}
	return "devel"
}
