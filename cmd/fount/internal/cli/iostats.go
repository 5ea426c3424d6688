// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount iostats: what a program reads, and how long it waits for random bytes (golang/go#10028).

package cli

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"fount/cmd/fount/internal/iostats"

	"github.com/spf13/cobra"
)

const iostatsLong = `fount iostats runs COMMAND and waits until it and all processes that it started have ended. It
then prints on standard error what they opened, read and wrote, and how long they waited for random bytes. A wait is a
call that reads /dev/random, /dev/urandom, /dev/hwrng or getrandom(2), and sleeps in the kernel for a millisecond or
more.

The table is that of Plan 9's iostats(4): rpc is the number of calls, "in calls" the time spent in them, and rates are
bytes by that time. Some microseconds of each call are due to fount iostats.

Not seen: files mapped into memory, io_uring, send(2) and recv(2) on sockets, getrandom in the vDSO, and programs of
another architecture. COMMAND can't be a debugger. Set-user-ID programs run without their rights, except as root.

Needs Linux on amd64, arm64 or riscv64. The exit status is that of COMMAND, 128 plus the signal that ended COMMAND, or
1 if COMMAND can't be run.`

func newIostats() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "iostats [--json] COMMAND [ARG...]",
		Short: "run a program and report what it read, and its waits for random bytes",
		Long:  iostatsLong,
		Example: `  fount iostats make test
  fount iostats --json go build ./... 2>io.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			return exactlyOne("a command to run")(cmd, args[:min(len(args), 1)])
		},
		ValidArgsFunction: completeFile,
		RunE:              func(cmd *cobra.Command, args []string) error { return runIostats(cmd, args, asJSON) },
	}
	cmd.Flags().SetInterspersed(false) // flags after COMMAND are COMMAND's
	jsonFlag(cmd, &asJSON)
	return cmd
}

func runIostats(cmd *cobra.Command, args []string, asJSON bool) error {
	// Ctrl-C is left to the command, which gets the signal too.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM)
	defer stop()

	program, err := os.Executable()
	if err != nil {
		return err
	}

	watcher := exec.Command(program, "child", "iostats")
	watcher.Stdin = os.Stdin
	watcher.Stdout = os.Stdout
	watcher.Stderr = os.Stderr

	r, err := iostats.Run(ctx, watcher, args)
	if err != nil {
		return err
	}

	err = printResult(cmd.ErrOrStderr(), asJSON, r, r.Text) // standard output is COMMAND's
	if err == nil && r.Status != 0 {
		err = &exitError{status: r.Status}
	}
	return err
}
