// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

// What Linux keeps others from seeing, and gives.

import (
	"fmt"
	"log/slog"

	"golang.org/x/sys/unix"
)

// harden keeps passwords out of core dumps, and other processes of the same user out of this one's memory.
func harden() error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("core dumps can't be switched off: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("core dumps can't be switched off: %w", err)
	}
	return nil
}

// reloading tells systemd that SIGHUP has come, for units of Type=notify-reload.
func reloading() string {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return "RELOADING=1"
	}
	return fmt.Sprintf("RELOADING=1\nMONOTONIC_USEC=%d", now.Nano()/1000)
}

// spare are the descriptors that fountd needs beside its connections.
const spare = 64

// fit is as many connections of each listener as there are descriptors for. Go has raised the soft limit.
func fit(conns, listeners int, log *slog.Logger) int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return conns
	}
	if most := (int(min(limit.Cur, 1<<30))-spare)/listeners - 1; most < conns {
		log.Warn("fewer connections than --max-conns: raise the limit of open files", "max_conns", conns, "fit", max(most, 1))
		return max(most, 1)
	}
	return conns
}
