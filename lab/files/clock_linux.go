// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

import (
	"time"

	"golang.org/x/sys/unix"
)

// clock is in ns, and the same in all processes: CLOCK_MONOTONIC, which can't be set.
func clock() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		return time.Now().UnixNano() // Go runs on no system without the call
	}
	return t.Nano()
}
