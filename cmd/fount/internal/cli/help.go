// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The help text: one screen for the program, one for each command.

package cli

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"fount/lab/show"

	"github.com/spf13/cobra"
)

// newHelp is the command "fount help COMMAND", for people who try it before --help.
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
			} else if topic.HasSubCommands() {
				if err := topic.ValidateArgs(rest); err != nil {
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
	} else if page := vetPage(cmd); page != "" {
		text = page
	}
	_, err := io.WriteString(cmd.OutOrStdout(), text)
	return err
}

// helpWidth is the number of columns that a line of help may take: those of the smallest usual terminal.
const helpWidth = 80

func rootHelp(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "fount: %s.\n\nUsage: fount COMMAND [flags]\n", root.Short)
	for _, group := range root.Groups() {
		fmt.Fprintf(&b, "\n%s\n", group.Title)
		for _, cmd := range root.Commands() {
			if cmd.GroupID == group.ID {
				b.WriteString(helpRow(cmd.Name(), cmd.Short))
			}
		}
	}
	b.WriteString(helpRow("--help", "after a command: its flags and examples"))
	fmt.Fprintf(&b, "\nExamples\n%s\n", root.Example)
	return b.String()
}

func commandHelp(cmd *cobra.Command) string {
	var b strings.Builder
	about := cmd.Long
	if about == "" {
		about = cmd.CommandPath() + ": " + cmd.Short + "."
	}
	b.WriteString(fill(strings.TrimSpace(about), helpWidth))
	b.WriteString("\n" + show.Paragraph(cmd.UseLine(), helpWidth, "Usage: ", "       "))
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nCommands\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				b.WriteString(helpRow(sub.Name(), sub.Short))
			}
		}
	}
	if cmd.HasAvailableFlags() {
		fmt.Fprintf(&b, "\nFlags\n%s", cmd.Flags().FlagUsagesWrapped(helpWidth))
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples\n%s\n", cmd.Example)
	}
	return b.String()
}

// helpRow is a name and what it is.
func helpRow(name, about string) string {
	return show.Row("  "+name, about, 14, helpWidth)
}

// helpRowPattern finds the first of two columns, which ends with two spaces.
var helpRowPattern = regexp.MustCompile(`^ *\S+(?: \S+)* {2,}`)

// fill fills the paragraphs of text into lines of at most width columns. A line of two columns, with two spaces between
// them, begins a row; lines indented to its second column continue it.
func fill(text string, width int) string {
	var b strings.Builder
	var part, head string // the text to fill, and its first column
	flush := func() {
		if part != "" {
			b.WriteString(show.Paragraph(part, width, head, strings.Repeat(" ", len(head))))
		}
		part, head = "", ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		indented := len(line) - len(strings.TrimLeft(line, " "))
		if column := helpRowPattern.FindString(line); column != "" {
			flush()
			head, line = column, line[len(column):]
		} else if line == "" || indented != len(head) {
			flush()
			head = line[:indented]
			if line == "" {
				b.WriteString("\n")
			}
		}
		if line != "" {
			part += line + " "
		}
	}
	flush()
	return b.String()
}
