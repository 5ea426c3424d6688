// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount mount: files of random bytes in a directory, through FUSE.

package cli

import (
	"errors"
	"fmt"
	"io"
	"syscall"

	"fount/cmd/fount/internal/randfs"
	"fount/cmd/fount/internal/randfs/fusefs"

	"github.com/spf13/cobra"
)

const mountLong = `fount mount DIR mounts the files random, urandom, seed, stats and ctl in the empty directory DIR
(Linux). It serves them until Ctrl-C, SIGTERM, SIGHUP or umount DIR; then files that are still open return errors.
Root mounts directly. Other users need fusermount3 (in Debian's package fuse3) and a DIR of their own. If a fount
mount was killed, the next one at DIR clears its dead mount.

Use the files for long reads: short reads cost more than from /dev/urandom. The files random and urandom never end, so
a program that reads a file to its end (cp, grep -r, sha256sum, a backup) never finishes. docs/files.md says which
programs can use them.`

func newMount() *cobra.Command {
	var o fusefs.Options
	cmd := &cobra.Command{
		Use:   "mount DIR [--allow-other]",
		Short: "mount files of random bytes in a directory (Linux)",
		Long:  mountLong,
		Example: `  mkdir -p /run/random; fount mount /run/random &
  dd if=/run/random/random of=noise bs=1M count=100`,
		Args: exactlyOne("the directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runMount(cmd, args[0], o)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	cmd.Flags().BoolVar(&o.AllowOther, "allow-other", false, "let other users open the files, as their modes allow")
	return cmd
}

// runMount mounts the files at dir and serves them until a signal, or until somebody unmounts dir.
func runMount(cmd *cobra.Command, dir string, o fusefs.Options) error {
	ctx, stop := interruptible(cmd.Context(), syscall.SIGHUP) // it cleans up when the terminal closes
	defer stop()

	stderr := cmd.ErrOrStderr()
	s, err := fusefs.Mount(randfs.New(randfs.Source{}), dir, o)
	if err != nil {
		return err
	}

	if s.Cleared() {
		fmt.Fprintf(stderr, "fount mount: cleared from %s the dead mount of a fount that was killed\n", s.Dir())
	}

	fmt.Fprintf(cmd.OutOrStdout(), "random files in %s until Ctrl-C or umount %[1]s\n", s.Dir())
	notifyReady(stderr, "fount mount")

	gone := make(chan error, 1)
	go func() { gone <- s.Wait() }()

	select {
	case err := <-gone:
		return err
	case <-ctx.Done():
		return endMount(stderr, s)
	}
}

// endMount unmounts, even if files are open: no reader may delay the end of the service.
func endMount(stderr io.Writer, s *fusefs.Server) error {
	err := s.Unmount()
	if !errors.Is(err, fusefs.ErrBusy) {
		return err
	}
	fmt.Fprintf(stderr, "fount mount: %s was in use: its open files give errors from now on\n", s.Dir())
	return s.Abandon()
}
