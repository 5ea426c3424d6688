// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Interrupts of what runs for long, and processes of studies.

package cli

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// interruptible ends at SIGTERM, and at Ctrl-C unless that is ignored, as in a shell's background job.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	signals := []os.Signal{syscall.SIGTERM}
	if !signal.Ignored(os.Interrupt) {
		signals = append(signals, os.Interrupt)
	}
	return notifyContext(ctx, signals...)
}

// withProcesses makes a result with processes of this program, each of which runs a hidden command, and shows how far it is. An interrupt ends them.
func withProcesses[Result any](cmd *cobra.Command, json bool, command string,
	run func(ctx context.Context, program []string, progress func(string)) (Result, error)) (r Result, err error) {
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	program, err := os.Executable()
	if err != nil {
		return r, err
	}
	line := progressOn(cmd, json)
	r, err = run(ctx, append([]string{program}, strings.Fields(command)...), line.Show)
	line.Clear()
	if ctx.Err() != nil {
		return r, &exitError{statusInterrupted, "interrupted; its processes are stopped"}
	}
	return r, err
}
