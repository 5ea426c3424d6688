// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The help of commands, for --help and for fount help.

package cli

import (
	"cmp"
	"io"
	"strings"

	"fount/cmd/internal/lab/show"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// changeDefaults makes the words and the errors of cobra's own commands fount's.
func (p *program) changeDefaults() {
	p.root.InitDefaultCompletionCmd()
	completion, _, _ := p.root.Find([]string{"completion"})
	completion.Short = "print a script by which a shell completes commands"

	p.root.InitDefaultHelpCmd()
	help, _, _ := p.root.Find([]string{"help"})
	help.Short = "show the help of a command"
	help.Long = ""
	help.Example = "  fount help rand"

	help.Run = nil
	help.RunE = func(_ *cobra.Command, args []string) error {
		cmd, rest, err := p.root.Find(args)
		if err != nil {
			return err
		}

		takesArguments := cmd.HasSubCommands() || cmd.Name() == "vet"
		if !takesArguments {
			if err := atMost(0)(cmd, rest); err != nil {
				return err
			}
		}

		cmd.InitDefaultHelpFlag()
		return p.help(cmd, rest)
	}
}

// help prints the help of cmd, or of the vet analyzer that args name. Arguments that name nothing
// are a usage error.
func (p *program) help(cmd *cobra.Command, args []string) error {
	p.started = true

	switch {
	case len(args) == 0:
		return printHelp(cmd)
	case cmd.HasSubCommands():
		if err := cmd.ValidateArgs(args); err != nil {
			return usagef("%v", err)
		}
	case cmd.Name() == "vet" && !strings.ContainsAny(args[0], "./"): // no package
		return printPage(cmd, args[0])
	}
	return printHelp(cmd)
}

// printHelp writes the help of cmd to its output.
func printHelp(cmd *cobra.Command) error {
	out := cmd.OutOrStdout()
	width := show.StyleOf(out).Width

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

	_, err := io.WriteString(out, text)
	return err
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
	return show.Row(name+"  ", usage, 24, width)
}
