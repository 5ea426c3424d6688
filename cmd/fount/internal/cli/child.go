// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount child: a process that another command has started.

package cli

import (
	"fount/cmd/fount/internal/iostats"
	"fount/cmd/fount/internal/live"
	"fount/cmd/internal/lab/child"

	"github.com/spf13/cobra"
)

func newChild() *cobra.Command {
	return &cobra.Command{
		Use:                "child WHOSE [ARG...]",
		Short:              "used by other commands: a process of their own",
		Hidden:             true,
		Args:               cobra.MinimumNArgs(1),
		DisableFlagParsing: true, // flags are those of fount iostats' COMMAND
		RunE:               func(_ *cobra.Command, args []string) error { return runChild(args[0], args[1:]) },
	}
}

func runChild(whose string, args []string) error {
	switch {
	case whose == "iostats" && len(args) > 1:
		return &exitError{status: iostats.Child(args[0], args[1:])}
	case whose == "live":
		return live.Child(child.Pipes())
	}

	for _, s := range studies {
		if s.Name == whose && s.Child != nil {
			return s.Child(child.Pipes())
		}
	}
	return usagef("no command has a process %q of its own", whose)
}
