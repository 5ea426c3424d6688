// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount seed: the file that carries the pools over a restart.

package cli

import (
	"fmt"
	"os"

	"fount"
	"fount/internal/entropy"

	"github.com/spf13/cobra"
)

const seedLong = `fount seed: write and use a seed file, which carries randomness over a restart.

The file counts for nothing: it is mixed with the kernel's bytes, and helps where
a kernel starts with too few. Its mode is 0600, nobody else may have write access
to its directory, and whenever the machine stops the old file or the new one is
whole. A service written in Go calls fount.LoadSeed and fount.SaveSeed on a
file of its own instead. Remove the file from an image before machines are cloned from it.`

// newSeed is the command "fount seed", which has commands of its own.
func newSeed() *cobra.Command {
	return parent(&cobra.Command{
		Use:   "seed save|load FILE",
		Short: "a file that carries randomness over a restart",
		Long:  seedLong,
		Example: `  fount seed save seed           at the end: for the next start
  fount seed load seed           at the start: into the kernel, and a new file`,
	}, "command", newSeedSave(), newSeedLoad())
}

// seedFile is the Args of a command that takes the name of a seed file. There is no default, which
// could be another service's, and standard input can't be replaced.
func seedFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" || args[0] == "-" {
		return usagef("want the name of one file, such as /var/lib/fount/seed; usage: %s", cmd.UseLine())
	}
	return nil
}

const seedSaveLong = `fount seed save FILE writes a seed file for the next start: for each NUMA node a
hash of 32 bytes from its pool, 32 from the kernel, and the old file.`

func newSeedSave() *cobra.Command {
	return seedCommand("save", "write a seed file for the next start", seedSaveLong, func(path string) (string, error) {
		return "saved", fount.SaveSeed(path)
	})
}

// seedCommand is a command that does something with a file, and says what it did.
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

const seedLoadLong = `fount seed load FILE replaces a seed file with a new one, mixes the old one into
the pools of this process, and gives 32 bytes from them to the kernel
(/dev/urandom), which mixes them in and counts them for nothing. If there is no
file, it makes one and mixes nothing. It waits until the kernel's generator is
seeded. Exit status 1 if the file is refused, or if the kernel did not take the
bytes; then the file is already replaced.`

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

// kernelDevice takes bytes from anyone, mixes them in and credits nothing: random(4) of Linux. On
// some BSDs only root may write.
const kernelDevice = "/dev/urandom"

// tellKernel writes to the device 32 bytes from this process's pools, which after LoadSeed depend
// on the file and reveal nothing of it.
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
	if info.Mode()&os.ModeCharDevice == 0 { // a file, as in a chroot, others may read
		return fmt.Errorf("%s is not a device", device)
	}
	var b [32]byte
	entropy.Mix(&b, 0) // to zeros, so that nothing but the pools is in it
	defer clear(b[:])
	_, err = f.Write(b[:])
	return err
}
