// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount seed: the file that carries randomness over a restart.

package cli

import (
	"fmt"
	"os"

	"fount"
	"fount/internal/entropy"

	"github.com/spf13/cobra"
)

const seedLong = `fount seed saves and loads a seed file, which carries randomness over a restart.

The file helps a kernel that starts with too little randomness. It is mixed with the kernel's bytes, and is credited
with no entropy. Its mode is 0600, and nobody else may have write access to its directory. If the machine stops at any
time, either the old file or the new file is there, and complete.

Before you clone machines from an image, remove the file from it. A service in Go uses a file of its own, and calls
fount.LoadSeed and fount.SaveSeed.`

func newSeed() *cobra.Command {
	return parent(&cobra.Command{
		Use:   "seed save|load FILE",
		Short: "save and load a file that carries randomness over a restart",
		Long:  seedLong,
		Example: `  fount seed save seed           before the machine stops
  fount seed load seed           after it starts`,
	}, "command", newSeedSave(), newSeedLoad())
}

// seedFile checks that the only argument names a seed file. There is no default, as that file could
// be another service's. Standard input is refused, as it can't be replaced.
func seedFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" || args[0] == "-" {
		return usagef("want the name of one file, such as /var/lib/fount/seed; usage: %s", cmd.UseLine())
	}
	return nil
}

const seedSaveLong = `fount seed save FILE writes a seed file for the next start. For each NUMA node it has a hash of
32 bytes of that node's pool, 32 bytes of the kernel, and the old file.`

func newSeedSave() *cobra.Command {
	return seedCommand("save", "write a seed file for the next start", seedSaveLong, func(path string) (string, error) {
		return "saved", fount.SaveSeed(path)
	})
}

// seedCommand returns a command that calls do with the name of a file, and prints what do has done.
func seedCommand(name, short, long string, do func(path string) (done string, err error)) *cobra.Command {
	return &cobra.Command{
		Use:               name + " FILE",
		Short:             short,
		Long:              long,
		Example:           "  fount seed " + name + " /var/lib/fount/seed",
		Args:              seedFile,
		ValidArgsFunction: completeFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			done, err := do(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", args[0], done)
			return err
		},
	}
}

const seedLoadLong = `fount seed load FILE replaces a seed file by a new one, and mixes the old one into the pools of
this process. It then writes 32 bytes of these pools to the kernel (/dev/urandom), which mixes them in and credits no
entropy. If there is no FILE, it makes one and mixes nothing. It waits until the kernel's generator is seeded.

Exit status 1 if FILE is refused, or if the kernel did not take the bytes; in the second case FILE has been replaced.`

func newSeedLoad() *cobra.Command {
	return seedCommand("load", "mix a seed file into the kernel's generator, and replace it", seedLoadLong, func(path string) (string, error) {
		if err := fount.LoadSeed(path); err != nil {
			return "", err
		}
		if fount.Status().SeedFile.State == "created" {
			return "made; there was none to load", nil
		}

		if err := tellKernel(kernelDevice); err != nil {
			return "", fmt.Errorf("%s was replaced, but the kernel did not take what was in it: %w", path, err)
		}
		return "loaded into the kernel's generator, and replaced", nil
	})
}

// kernelDevice mixes into the kernel's generator what is written to it, and credits no entropy: see
// random(4) of Linux. On some BSDs only root may write to it.
const kernelDevice = "/dev/urandom"

// tellKernel writes 32 bytes of this process's pools to device. After LoadSeed these bytes depend
// on the seed file and reveal nothing of it.
func tellKernel(device string) error {
	f, err := os.OpenFile(device, os.O_WRONLY, 0) // no O_CREATE, no O_TRUNC: it may be a file
	if err != nil {
		return err
	}
	defer f.Close()

	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Mode()&os.ModeCharDevice == 0 { // others may read a file, as in a chroot
		return fmt.Errorf("%s is not a device", device)
	}

	var b [32]byte
	entropy.Mix(&b, 0) // b is zero: nothing but the pools is in it
	defer clear(b[:])
	_, err = f.Write(b[:])
	return err
}
