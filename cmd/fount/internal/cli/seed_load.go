// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount seed load: what an earlier start left, for the kernel.

package cli

import (
	"fmt"

	"fount/pool"

	"github.com/spf13/cobra"
)

const seedLoadLong = `fount seed load FILE replaces a seed file by a new one, mixes what was in the old one into the
pools of this process, and gives 32 bytes of them to the kernel (/dev/urandom), because the process ends at once and
the kernel's generator is what all others draw from. The kernel mixes them in and counts them for nothing. Where
there is no file one is made, and nothing is mixed.

It waits until the kernel's generator is seeded. There is no flag that has the kernel count the file: it takes
credit only until it is seeded. A file that was copied or restored since it was written is used with a warning.
Exit status 1 if it is refused, and if the kernel did not take the bytes; the file is replaced by then.`

func newSeedLoad() *cobra.Command {
	return &cobra.Command{
		Use:               "load FILE",
		Short:             "mix a seed file into the kernel's generator, and replace it",
		Long:              seedLoadLong,
		Example:           `  fount seed load /var/lib/fount/seed`,
		Args:              seedFile,
		ValidArgsFunction: completeFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := args[0]
			if err := pool.Load(path); err != nil {
				return err
			}
			r := pool.Status().SeedFile
			if r.Copied {
				warn(cmd, path+": "+r.Note)
			}
			if r.State == "created" {
				_, err := fmt.Fprintf(cmd.OutOrStdout(),
					"%s: made for the next start; there was none, so nothing was mixed\n", path)
				return err
			}
			if err := tellKernel(kernelDevice); err != nil {
				return fmt.Errorf("%s was replaced, but the kernel did not take what was in it: %w", path, err)
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: mixed what %s saved on %s into the kernel's generator\n",
				path, nodeCount(r.Nodes), savedText(r.Saved))
			return err
		},
	}
}
