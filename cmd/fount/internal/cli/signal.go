// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Signals that a command hears: all commands hear them through this file. Interrupts of what runs for long, and processes
// of studies.

package cli

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// deaf says that Go's package signal must be left alone: on plan9/386 a process of a program that called signal.Notify dies
// of the first note, the others live on, and whoever reads its files waits for ever. Without
// it the runtime ends the program at interrupt, hangup and kill, and the kernel removes the name in /srv.
const deaf = runtime.GOOS == "plan9" && runtime.GOARCH == "386"

// interruptible ends at SIGTERM, and at Ctrl-C and more unless they are ignored, as in a shell's background job.
func interruptible(ctx context.Context, more ...os.Signal) (context.Context, context.CancelFunc) {
	signals := []os.Signal{syscall.SIGTERM}
	for _, s := range append(more, os.Interrupt) {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	if deaf {
		return context.WithCancel(ctx)
	}
	return signal.NotifyContext(ctx, signals...)
}
