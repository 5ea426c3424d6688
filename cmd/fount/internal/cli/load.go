// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount load: services under load. It has one service to put under load, password.

package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// newLoad is the command "fount load", which has commands of its own.
func newLoad() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "load password [flags]",
		Short: "what callers of a password check get under load",
		Example: `  fount load password --cost 4 -d 300ms
  fount load password -m pool --cost 4 --rate 2000 --deadline 100ms -d 300ms`,
		Args: subcommandArgs("load"),
		RunE: func(cmd *cobra.Command, _ []string) error { return printHelp(cmd) },
	}
	addSubcommands(cmd, newLoadPassword())
	return cmd
}

// addSubcommands adds commands to one that is not the root.
func addSubcommands(cmd *cobra.Command, subs ...*cobra.Command) {
	for _, sub := range subs {
		sub.DisableFlagsInUseLine = true
		if sub.ValidArgsFunction == nil {
			sub.ValidArgsFunction = cobra.NoFileCompletions
		}
		cmd.AddCommand(sub)
	}
}

// subcommandArgs refuses every argument of a command that has commands: one that names a command never comes here. what
// is what they are to the user.
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
		return usagef("unknown %s %q; %s", what, args[0], suggest(args[0], known, "use "+orList(known)))
	}
}

// orList is the words with commas and an or: a, b or c.
func orList(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
