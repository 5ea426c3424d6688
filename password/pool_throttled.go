// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// How long the kernel kept the process from running for want of quota.

import (
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// throttled reads throttled_usec of the process's control group (version 2), or
// throttled_time of version 1's cpu controller. It is 0 where neither can be
// read.
func throttled() time.Duration {
	self, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(self)) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) != 3 {
			continue
		}
		switch {
		case part[0] == "0" && part[1] == "":
			if d, ok := statField(path.Join("/sys/fs/cgroup", part[2], "cpu.stat"), "throttled_usec"); ok {
				return d * time.Microsecond
			}
		case strings.Contains(","+part[1]+",", ",cpu,"):
			if d, ok := statField(path.Join("/sys/fs/cgroup/cpu", part[2], "cpu.stat"), "throttled_time"); ok {
				return d
			}
		}
	}
	return 0
}

// statField returns the number behind a name in a file of "name number" lines.
func statField(file, name string) (time.Duration, bool) {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == name {
			n, err := strconv.ParseInt(f[1], 10, 64)
			return time.Duration(n), err == nil
		}
	}
	return 0, false
}
