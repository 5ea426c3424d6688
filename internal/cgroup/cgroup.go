// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package cgroup reads the CPU quota that Linux's control groups, versions 1 and 2, give a process.
// The runtime uses the quota for GOMAXPROCS, rounded to a whole number. Package turn needs the
// quota and its period, and measurements need the fraction.
package cgroup

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
	"time"
)

// A Quota is how much CPU time a group may use in each period. The zero Quota means no limit.
type Quota struct {
	Time, Period time.Duration
}

// CPUs returns the quota in CPUs, or 0 if there is no limit.
func (q Quota) CPUs() float64 {
	if q.Time <= 0 || q.Period <= 0 {
		return 0
	}
	return float64(q.Time) / float64(q.Period)
}

// Whole returns the quota in CPUs, rounded up, or 0 if there is no limit.
func (q Quota) Whole() int { return int(math.Ceil(q.CPUs())) }

// ReadQuota returns the lowest quota of this process's group and the groups above it that are
// visible in root, the file system's root.
func ReadQuota(root fs.FS) Quota {
	v2, v1 := parseGroups(read(root, "proc/self/cgroup"))
	var low Quota
	lower := func(q Quota) {
		isLower := low.CPUs() == 0 || q.CPUs() < low.CPUs()
		if q.CPUs() > 0 && isLower {
			low = q
		}
	}

	for group := range upwards(v2) {
		dir := path.Join("sys/fs/cgroup", group)
		if max := read(root, dir, "cpu.max"); max != "" {
			lower(parseMax(max))
		}
	}

	for group := range upwards(v1) {
		dir := path.Join("sys/fs/cgroup/cpu", group)
		if quota := read(root, dir, "cpu.cfs_quota_us"); quota != "" {
			lower(parse(quota, read(root, dir, "cpu.cfs_period_us")))
		}
	}
	return low
}

// read returns the contents of a file without white space around them, or "" if it can't be read.
func read(root fs.FS, parts ...string) string {
	b, err := fs.ReadFile(root, path.Join(parts...))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// parseMax parses version 2's cpu.max, quota and period in µs, such as "150000 100000" or "max
// 100000".
func parseMax(max string) Quota {
	fields := strings.Fields(max)
	if len(fields) != 2 {
		return Quota{}
	}
	return parse(fields[0], fields[1])
}

// parse parses numbers of µs. If one is not a number above 0 ("max", or version 1's -1), there is
// no limit.
func parse(quota, period string) Quota {
	q := micros(quota)
	p := micros(period)
	if q == 0 || p == 0 {
		return Quota{}
	}
	return Quota{q, p}
}

// micros returns 0 if s is not a number of µs.
func micros(s string) time.Duration {
	n, err := strconv.ParseUint(s, 10, 53) // more would be too many ns
	if err != nil {
		return 0
	}
	return time.Duration(n) * time.Microsecond
}

// parseGroups parses /proc/self/cgroup, lines of "id:controllers:path". It returns the process's group in the tree of
// version 2 and in that of version 1's cpu controller, "" for a tree that it is not in.
func parseGroups(s string) (v2, v1cpu string) {
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

// upwards yields a group's path and those of its parents up to "/". It yields only "/" for a path
// that leads out of the mount, such as "/../x", which a group outside the process's namespace has.
func upwards(group string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		if group == "" {
			return
		}
		if group == "/.." || strings.HasPrefix(group, "/../") {
			group = "/"
		}

		for group = path.Clean(group); group != "/"; group = path.Dir(group) {
			if !yield(group) {
				return
			}
		}
		yield("/")
	}
}
