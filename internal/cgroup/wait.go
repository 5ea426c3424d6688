// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cgroup

// What others take: time that this process would have used and did not get.

import (
	"io"
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
	"time"
)

// A Waits is how long the kernel says that tasks which could run did not, since the machine or the group began. Each is
// known or 0.
type Waits struct {
	Steal         time.Duration // of all CPUs together, taken by the host from this virtual machine; proc(5), /proc/stat
	StealKnown    bool
	Pressure      time.Duration // in which at least one task waited for a CPU; PSI, the line "some"
	PressureKnown bool
	Throttled     time.Duration // as Throttled returns it
}

// ReadWaits reads them: the pressure of the nearest group, from the process's own upwards, that has a file for it (version 2),
// else the whole machine's.
func ReadWaits(root fs.FS) Waits {
	var w Waits
	w.Steal, w.StealKnown = parseSteal(head(root, "proc/stat"))
	v2, v1 := groups(root)
	w.Throttled = throttled(root, v2, v1)
	for group := range upwards(v2) { // a path from outside of the namespace is not below the mount
		if text := head(root, "sys/fs/cgroup", group, "cpu.pressure"); text != "" {
			w.Pressure, w.PressureKnown = parsePressure(text)
			break
		}
	}
	if !w.PressureKnown {
		w.Pressure, w.PressureKnown = parsePressure(head(root, "proc/pressure/cpu"))
	}
	return w
}

// head returns the first 512 bytes of a file, "" if it can't be read. /proc/stat is long on large machines.
func head(root fs.FS, parts ...string) string {
	f, err := root.Open(path.Join(parts...))
	if err != nil {
		return ""
	}
	defer f.Close()
	var b [512]byte
	n, err := io.ReadFull(f, b[:])
	if err != nil && err != io.ErrUnexpectedEOF {
		return ""
	}
	return string(b[:n])
}

// tick is the unit of /proc/stat, 1/USER_HZ seconds: 100 on all architectures that Go knows.
const tick = time.Second / 100

// parseSteal reads the first line of /proc/stat: "cpu", user, nice, system, idle, iowait, irq, softirq, steal, ...
func parseSteal(stat string) (time.Duration, bool) {
	line, _, whole := strings.Cut(stat, "\n")
	f := strings.Fields(line)
	if !whole || len(f) < 9 || f[0] != "cpu" {
		return 0, false
	}
	return units(f[8], tick)
}

// parsePressure reads "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234", in µs.
func parsePressure(text string) (time.Duration, bool) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] != "some" || !strings.HasSuffix(line, "\n") {
			continue
		}
		for _, f := range f[1:] {
			if total, ok := strings.CutPrefix(f, "total="); ok {
				return units(total, time.Microsecond)
			}
		}
	}
	return 0, false
}

// units reads a number that is not negative.
func units(s string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil || n > uint64(math.MaxInt64/unit) {
		return 0, false
	}
	return time.Duration(n) * unit, true
}
