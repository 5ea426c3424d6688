// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount seed load: give the kernel what an earlier start saved.

package cli

import (
	"fmt"
	"os"

	"fount/internal/pools"
	"fount/pool"

	"github.com/spf13/cobra"
)

const seedLoadLong = `fount seed load FILE replaces a seed file with a new one, mixes the old one into the pools of this
process, and gives 32 bytes from them to the kernel (/dev/urandom): this process ends at once, and all others draw
from the kernel's generator. The kernel mixes them in and counts them for nothing. If there is no file, it makes
one and mixes nothing.

It waits until the kernel's generator is seeded. No flag makes the kernel count the file, because the kernel takes
credit only until it is seeded. A file that was copied or restored since it was written is used with a warning.
Exit status 1 if the file is refused, or if the kernel did not take the bytes; then the file is already replaced.`

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

// kernelDevice takes bytes from anyone, mixes them into the kernel's generator and counts them for nothing: random(4) of
// Linux. macOS and the BSDs have it too, some for root only.
const kernelDevice = "/dev/urandom"

// tellKernel writes 32 bytes drawn from this process's pools to the device. After pool.Load they depend on the file, and
// reveal nothing of it.
func tellKernel(device string) error {
	f, err := os.OpenFile(device, os.O_WRONLY, 0) // without O_CREATE and O_TRUNC: see below
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Mode()&os.ModeCharDevice == 0 { // in a careless chroot it may be a file that others read
		return fmt.Errorf("%s is not a device", device)
	}
	var b [32]byte
	pools.Mix(&b) // to zeros, so that nothing but the pools is in it
	defer clear(b[:])
	_, err = f.Write(b[:])
	return err
}
