// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The help text: one screen for the program, one for each command.

package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// newHelp is the command "fount help COMMAND", for those who try it before --help.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND]",
		Short:  "the same as fount COMMAND --help",
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if topic == cmd.Root() {
				if err := rootArgs(topic, rest); err != nil {
					return err
				}
			}
			topic.InitDefaultHelpFlag()
			return printHelp(topic)
		},
	}
}

// printHelp writes the help of cmd to its output.
func printHelp(cmd *cobra.Command) error {
	text := commandHelp(cmd)
	if !cmd.HasParent() {
		text = rootHelp(cmd)
	}
	_, err := io.WriteString(cmd.OutOrStdout(), text)
	return err
}

func rootHelp(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "fount: %s.\n\nUsage: fount COMMAND [flags]\n", root.Short)
	for _, group := range root.Groups() {
		fmt.Fprintf(&b, "\n%s\n", group.Title)
		for _, cmd := range root.Commands() {
			if cmd.GroupID == group.ID {
				fmt.Fprintf(&b, "  %-12s%s\n", cmd.Name(), cmd.Short)
			}
		}
	}
	fmt.Fprintf(&b, "  %-12s%s\n  %-12s%s\n",
		"--help", "after a command: its flags and examples",
		"--version", "version of fount and Go, operating system, architecture")
	fmt.Fprintf(&b, "\nExamples\n%s\n", root.Example)
	return b.String()
}

func commandHelp(cmd *cobra.Command) string {
	var b strings.Builder
	about := cmd.Long
	if about == "" {
		about = cmd.CommandPath() + ": " + cmd.Short + "."
	}
	fmt.Fprintf(&b, "%s\n\nUsage: %s\n", strings.TrimSpace(about), cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nCommands\n")
		for _, sub := range cmd.Commands() {
			fmt.Fprintf(&b, "  %-12s%s\n", sub.Name(), sub.Short)
		}
	}
	if cmd.HasAvailableFlags() {
		fmt.Fprintf(&b, "\nFlags\n%s", cmd.Flags().FlagUsages())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples\n%s\n", cmd.Example)
	}
	return b.String()
}
