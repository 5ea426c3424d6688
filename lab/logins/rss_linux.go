// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// The memory of this process, from proc(5).

import (
	"os"
	"strconv"
	"strings"
)

// resident returns the resident memory, and its peak since resetPeak or the start of the process.
func resident() (now, peak int64) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	return statusKB(string(status), "VmRSS:"), statusKB(string(status), "VmHWM:")
}

// statusKB is a field of /proc/self/status in bytes, given there in kB of 1024; 0 if it is missing.
func statusKB(status, field string) int64 {
	for line := range strings.Lines(status) {
		if rest, ok := strings.CutPrefix(line, field); ok {
			kb, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			if err != nil {
				return 0
			}
			return kb << 10
		}
	}
	return 0
}

// resetPeak restarts the peak where the kernel permits it (5 in clear_refs).
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }
