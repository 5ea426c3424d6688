// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

// Protection of the process, and other calls that only Linux has.

import (
	"cmp"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// harden disables core dumps, and access by other processes of the same user.
func harden() error {
	if err := cmp.Or(
		unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}),
		unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0),
	); err != nil {
		return fmt.Errorf("core dumps can't be disabled: %w", err)
	}
	return nil
}

// keepOwner gives a new file the owner of the one that it replaces.
func keepOwner(of string, next *os.File) error {
	var was unix.Stat_t
	err := unix.Stat(of, &was)
	if err == nil {
		err = next.Chown(int(was.Uid), int(was.Gid))
	}
	if err != nil {
		return fmt.Errorf("%s: %w; want the user who owns it, or root", of, err)
	}
	return nil
}

// reloading returns the message to systemd that a reload has begun, for Type=notify-reload.
func reloading() string {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return "RELOADING=1"
	}
	return fmt.Sprintf("RELOADING=1\nMONOTONIC_USEC=%d", now.Nano()/1000)
}
