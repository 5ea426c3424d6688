// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount completion: a script with which a shell completes commands, flags and values. It replaces cobra's own command,
// whose errors and help have another form.

package cli

import (
	"github.com/spf13/cobra"
)

func newCompletion() *cobra.Command {
	shells := []cobra.Completion{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "a script that completes fount's words in a shell",
		Long: `fount completion writes a script to standard output. Once a shell has read it, the tab key completes
fount's commands and flags.`,
		Example: `  fount completion bash >fount.bash    then in ~/.bashrc: source fount.bash
  fount completion zsh >_fount         in a directory of $fpath
  fount completion fish >fount.fish    in ~/.config/fish/completions`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("the name of a shell is missing; usage: %s", cmd.UseLine())
			}
			return atMost(1)(cmd, args)
		},
		ValidArgsFunction: cobra.FixedCompletions(shells, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return usagef("unknown shell %q; use bash, zsh, fish or powershell", args[0])
		},
	}
}
