// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount serve: what the program serves to other programs. It has one service, files.

package cli

import "github.com/spf13/cobra"

// newServe is the command "fount serve", which has commands of its own.
func newServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve files [flags]",
		Short: "random bytes for other programs, as files over 9P",
		Example: `  fount serve files --listen 'unix!/run/fount.sock'     until Ctrl-C
  fount rand 32 --hex --from 'unix!/run/fount.sock'     from another terminal`,
		Args: subcommandArgs("service"),
		RunE: func(cmd *cobra.Command, _ []string) error { return printHelp(cmd) },
	}
	addSubcommands(cmd, newServeFiles())
	return cmd
}
