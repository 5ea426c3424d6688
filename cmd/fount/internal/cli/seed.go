// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount seed: the file that carries the pools over a restart. What its commands share.

package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

const seedLong = `fount seed: write, use and inspect a seed file, which carries randomness over a restart.

The file has 64 bytes for each NUMA node. It counts for nothing: it is mixed with the kernel's bytes, and helps
where a kernel starts with too few. Only its user can read it (mode 0600). Save and load replace it with a new
one, which is on the disk before any of the old one is used; processes take turns. It works on Linux, macOS and
the BSDs.

A service written in Go calls pool.Load and pool.Save on a file of its own instead. Remove the seed file from an
image before machines are cloned from it.`

// newSeed is the command "fount seed", which has commands of its own.
func newSeed() *cobra.Command {
	return parent(&cobra.Command{
		Use:   "seed save|load|status FILE",
		Short: "a file that carries randomness over a restart",
		Long:  seedLong,
		Example: `  fount seed save seed           at the end: for the next start
  fount seed load seed           at the start: into the kernel, and a new file
  fount seed status seed         looks and changes nothing`,
	}, "command", newSeedSave(), newSeedLoad(), newSeedStatus())
}

// seedFile is the Args of a command that takes the name of a seed file. There is no default: the command would use and
// replace the file of another user or service.
func seedFile(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return usagef("the name of a file is missing; usage: %s", cmd.UseLine())
	case len(args) > 1:
		return usagef("unexpected argument %q; usage: %s", args[1], cmd.UseLine())
	case args[0] == "":
		return usagef("the name of the file is empty; use for example /var/lib/fount/seed")
	case args[0] == "-":
		return usagef("a seed file is replaced, so it can't be standard input or output; use for example /var/lib/fount/seed")
	}
	return nil
}

func completeFile(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveDefault
}

// warn writes a line that does not change the exit status.
func warn(cmd *cobra.Command, text string) {
	fmt.Fprintf(cmd.ErrOrStderr(), "%s: warning: %s\n", cmd.CommandPath(), text)
}

// nodeCount is a number of nodes in words.
func nodeCount(n int) string {
	if n == 1 {
		return "1 node"
	}
	return fmt.Sprint(n, " nodes")
}
