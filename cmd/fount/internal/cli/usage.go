// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Help, commands with subcommands, the version, and usage errors. A usage error says what is wrong,
// with which value, and what would be right.

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/version"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// printHelp writes the help of cmd to its output.
func printHelp(cmd *cobra.Command) error {
	_, err := io.WriteString(cmd.OutOrStdout(), helpText(cmd, show.StyleOf(cmd.OutOrStdout()).Width))
	return err
}

// helpText returns the help of cmd in lines of at most width columns.
func helpText(cmd *cobra.Command, width int) string {
	about := cmp.Or(cmd.Long, cmd.CommandPath()+": "+cmd.Short+".")
	text := show.Fill(about, width) + "\n"
	text += "Usage:\n" + show.Paragraph(cmd.UseLine(), width, "  ", "    ")

	if cmd.HasExample() {
		text += "\nExamples:\n"
		for line := range strings.Lines(cmd.Example) {
			text += exampleText(strings.TrimRight(line, "\n"), width)
		}
	}

	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands"}}
	}
	for _, group := range groups {
		rows := ""
		for _, sub := range cmd.Commands() {
			isShown := sub.IsAvailableCommand() || sub.Name() == "help"
			if isShown && sub.GroupID == group.ID {
				rows += show.Row("  "+sub.Name(), sub.Short, 14, width)
			}
		}
		if rows != "" {
			text += "\n" + group.Title + ":\n" + rows
		}
	}

	text += "\nFlags:\n"
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { text += flagText(f, width) })
	return text
}

// exampleText returns an example, a command and perhaps a remark beside it. What is too wide is
// continued as the shell takes it, with the remark below.
func exampleText(line string, width int) string {
	if len(line) <= width {
		return line + "\n"
	}

	command, remark, _ := strings.Cut(strings.TrimSpace(line), "   ")
	lines := strings.TrimSuffix(show.Paragraph(command, width-2, "  ", "    "), "\n")
	text := strings.ReplaceAll(lines, "\n", " \\\n") + "\n"
	if remark != "" {
		text += show.Paragraph("# "+remark, width, "    ", "    # ")
	}
	return text
}

// flagText returns a flag and its usage, beside it if there is room.
func flagText(f *pflag.Flag, width int) string {
	placeholder, usage := pflag.UnquoteUsage(f)
	name := strings.TrimRight("      --"+f.Name+" "+placeholder, " ")
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + "," + name[5:]
	}

	if width < 60 {
		return show.Paragraph(usage, width, name+"  ", "          ")
	}
	return show.Row(name, usage, 24, width)
}

// parent adds subcommands to cmd, which alone prints its help. Errors call a subcommand noun.
func parent(cmd *cobra.Command, noun string, subs ...*cobra.Command) *cobra.Command {
	cmd.Args = func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, noun, args) }
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return printHelp(cmd) }
	addSubcommands(cmd, subs...)
	return cmd
}

// addSubcommands adds subs to cmd.
func addSubcommands(cmd *cobra.Command, subs ...*cobra.Command) {
	for _, sub := range subs {
		sub.DisableFlagsInUseLine = true // Use lists them
		sub.Flags().VisitAll(plainFlag)
		if sub.ValidArgsFunction == nil {
			sub.ValidArgsFunction = cobra.NoFileCompletions
		}
		cmd.AddCommand(sub)
	}
}

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

// completeFile has the shell complete an argument to a file name.
func completeFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

func newVersion() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:     "version [--json]",
		Short:   "print the versions of fount and Go, the commit and the platform",
		Example: "  fount version",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := version.This()
			return printResult(cmd, asJSON, v, func(show.Style) string {
				return fmt.Sprintf("fount %v (%s %s/%s)\n", v, v.Go, v.OS, v.Arch)
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
