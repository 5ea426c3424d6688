// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Interrupts of what runs for long.

package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interruptible ends at SIGTERM, and at Ctrl-C unless that is ignored, as in a shell's background job.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	signals := []os.Signal{syscall.SIGTERM}
	if !signal.Ignored(os.Interrupt) {
		signals = append(signals, os.Interrupt)
	}
	return notifyContext(ctx, signals...)
}
