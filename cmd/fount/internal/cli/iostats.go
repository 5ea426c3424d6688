// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount iostats: what a program reads, and how long it waits for random bytes (golang/go#10028).

package cli

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"fount/cmd/internal/lab/iostats"

	"github.com/spf13/cobra"
)

const iostatsLong = `fount iostats COMMAND runs a program and, when it and all processes that it
started have ended, says on standard error what they opened, read and wrote, and
how long they waited for random bytes: calls for /dev/random, /dev/urandom,
/dev/hwrng or getrandom(2) that slept in the kernel for a millisecond or more.
It is named after iostats(4) of Plan 9, and says as that does how many bytes by
the second of the calls that read and wrote, and how many calls there were (rpc).
"in calls" is the time in these calls; some microseconds of each are the
watching's own.

Not seen: files mapped into memory, io_uring, send(2) and recv(2) on sockets,
the getrandom of the vDSO, which makes no system call, and programs of another
architecture. A debugger can't run inside. Set-user-ID programs run without
their rights, unless root watches.

It needs Linux on amd64, arm64 or riscv64. The exit status is the command's, 128
and the signal if one ended it, or 1 if the command can't be run.`

func newIostats() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "iostats [--json] COMMAND [ARG...]",
		Short: "run a program and say what it read, and how long it waited for randomness",
		Long:  iostatsLong,
		Example: `  fount iostats make test
  fount iostats --json go build ./... 2>io.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			return one("a command to run")(cmd, args[:min(len(args), 1)])
		},
		ValidArgsFunction: completeFile,
		RunE:              func(cmd *cobra.Command, args []string) error { return runIostats(cmd, args, asJSON) },
	}
	cmd.Flags().SetInterspersed(false) // what follows the command is the command's
	jsonFlag(cmd, &asJSON)
	cmd.AddCommand(&cobra.Command{
		Use:                "child",
		Short:              "the process that becomes the program, which fount iostats starts",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("it is started by another command, and not by hand")
			}
			return iostats.Child(args[0], args[1:])
		},
	})
	return cmd
}

func runIostats(cmd *cobra.Command, args []string, asJSON bool) error {
	// Ctrl-C is the command's: it gets the signal too, and ends or goes on.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM)
	defer stop()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	watcher := exec.Command(program, "iostats", "child")
	watcher.Stdin, watcher.Stdout, watcher.Stderr = os.Stdin, os.Stdout, os.Stderr
	r, err := iostats.Run(ctx, watcher, args)
	if err != nil {
		return err
	}
	out := cmd.ErrOrStderr()
	if asJSON {
		err = printJSON(out, r)
	} else {
		_, err = io.WriteString(out, r.Text(styleOf(out)))
	}
	if err == nil && r.Status != 0 {
		err = &exitError{status: r.Status}
	}
	return err
}
