// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// CPU limits of control groups, versions 1 and 2. The limit that holds is the lowest on the way from the process's own
// group to the root, as far as the mounts show it.

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// parseCPUMax reads version 2's cpu.max, "max 100000" or "150000 100000": quota and period in µs. It returns the limit
// in CPUs, 0 for none.
func parseCPUMax(s string) (float64, error) {
	fields := strings.Fields(s)
	if len(fields) != 2 {
		return 0, fmt.Errorf("cpu.max is %q, want a quota and a period", s)
	}
	if fields[0] == "max" {
		return 0, nil
	}
	return cpus(fields[0], fields[1])
}

// cpus divides quota by period, both in µs; a negative quota (version 1's -1) is no limit.
func cpus(quota, period string) (float64, error) {
	q, err := strconv.ParseInt(strings.TrimSpace(quota), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("CPU quota %q is not a number of µs", quota)
	}
	p, err := strconv.ParseInt(strings.TrimSpace(period), 10, 64)
	if err != nil || p <= 0 {
		return 0, fmt.Errorf("CPU period %q is not a number of µs", period)
	}
	if q <= 0 {
		return 0, nil
	}
	return float64(q) / float64(p), nil
}

// parseCgroup reads /proc/self/cgroup, lines of "id:controllers:path", and returns the process's group in version 2's
// tree and in the tree of version 1's cpu controller; "" if it is in none.
func parseCgroup(s string) (v2, v1cpu string) {
	for line := range strings.Lines(s) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(part) != 3 || !strings.HasPrefix(part[2], "/") {
			continue
		}
		if part[0] == "0" && part[1] == "" {
			v2 = part[2]
		}
		for c := range strings.SplitSeq(part[1], ",") {
			if c == "cpu" {
				v1cpu = part[2]
			}
		}
	}
	return v2, v1cpu
}

// cpuLimit is the lowest limit, in CPUs, of the groups that contain this process, 0 if there is none. root is the
// file system's root.
func cpuLimit(root fs.FS) float64 {
	self, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	v2, v1 := parseCgroup(string(self))
	low := 0.0
	lower := func(limit float64, err error) {
		if err == nil && limit > 0 && (low == 0 || limit < low) {
			low = limit
		}
	}
	for group := range upwards(v2) {
		if s, err := fs.ReadFile(root, path.Join("sys/fs/cgroup", group, "cpu.max")); err == nil {
			lower(parseCPUMax(string(s)))
		}
	}
	for group := range upwards(v1) {
		dir := path.Join("sys/fs/cgroup/cpu", group)
		quota, err1 := fs.ReadFile(root, path.Join(dir, "cpu.cfs_quota_us"))
		period, err2 := fs.ReadFile(root, path.Join(dir, "cpu.cfs_period_us"))
		if err1 == nil && err2 == nil {
			lower(cpus(string(quota), string(period)))
		}
	}
	return low
}

// upwards yields a group's path and its parents' up to "/"; a path that leads out of the mount ("/../x", as a process
// sees a group outside its namespace) yields "/" alone.
func upwards(group string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		if group == "" {
			return
		}
		for group = path.Clean(group); group != "/"; group = path.Dir(group) {
			if !yield(group) {
				return
			}
		}
		yield("/")
	}
}
