// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount entropy: where the randomness comes from.

package cli

import "github.com/spf13/cobra"

// newEntropy is the command "fount entropy", which has commands of its own.
func newEntropy() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "entropy list|sample",
		Short: "the sources of randomness: what counts, health, speed, samples",
		Example: `  fount entropy list
  fount entropy sample jitter 1000000 > raw.bin`,
		Args: subcommandArgs("command"),
		RunE: func(cmd *cobra.Command, _ []string) error { return printHelp(cmd) },
	}
	addSubcommands(cmd, newEntropyList(), newEntropySample())
	return cmd
}
