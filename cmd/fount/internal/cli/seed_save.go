// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount seed save: a file for the next start.

package cli

import (
	"fmt"

	"fount/pool"

	"github.com/spf13/cobra"
)

const seedSaveLong = `fount seed save FILE writes a seed file for the next start: for each NUMA node a hash of 32 bytes
from its pool, 32 from the kernel, and the old file. The pools are this process's own and new, fed by all sources
of fount entropy list. FILE gets mode 0600. Whenever the machine stops, the old file or the new one is whole. Its
directory must exist, and nobody else may have write access to it.`

func newSeedSave() *cobra.Command {
	return &cobra.Command{
		Use:               "save FILE",
		Short:             "write a seed file for the next start",
		Long:              seedSaveLong,
		Example:           `  fount seed save /var/lib/fount/seed`,
		Args:              seedFile,
		ValidArgsFunction: completeFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := args[0]
			pool.Feed() // so that more than the kernel is in them
			if err := pool.Save(path); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: saved for the next start, from %s\n",
				path, nodeCount(len(pool.Status().Nodes)))
			return err
		},
	}
}
