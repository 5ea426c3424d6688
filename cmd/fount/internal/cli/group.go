// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Commands that have commands of their own, such as fount seed.

package cli

import (
	"fount/lab/show"

	"github.com/spf13/cobra"
)

// parent makes cmd a command that prints its help, and adds subs to it. what is what they are to the user.
func parent(cmd *cobra.Command, what string, subs ...*cobra.Command) *cobra.Command {
	cmd.Args = subcommandArgs(what)
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

// subcommandArgs refuses every argument of a command that has commands: one that names a command never comes here.
func subcommandArgs(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var known []string
		for _, sub := range cmd.Commands() {
			if !sub.Hidden {
				known = append(known, sub.Name())
			}
		}
		return usagef("unknown %s %q; %s", what, args[0], suggest(args[0], known, "use "+show.Choice(known)))
	}
}
