// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || freebsd

package logins

// The memory of this process, from getrusage(2), which tells only the peak.

import (
	"runtime"

	"golang.org/x/sys/unix"
)

func resident() (now, peak int64) {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return 0, 0
	}
	peak = int64(r.Maxrss)
	if runtime.GOOS == "freebsd" {
		peak <<= 10 // in KiB there, in bytes on Darwin
	}
	return 0, peak
}

func resetPeak() {}
