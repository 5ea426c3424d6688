// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cgroup

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

const (
	stat     = "cpu  5713635 6298 684808 1270000 5191 0 14120 98033 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"
	pressure = "some avg10=94.30 avg60=50.80 avg300=24.41 total=23395020345\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"
)

// The text is proc(5)'s and Documentation/accounting/psi.rst's.
func TestParseWaits(t *testing.T) {
	for _, test := range []struct {
		name  string
		parse func(string) (time.Duration, bool)
		text  string
		want  time.Duration
		known bool
	}{
		{"steal", parseSteal, stat, 980330 * time.Millisecond, true},
		{"no steal", parseSteal, "cpu 1 2 3 4 5 6 7 0\n", 0, true},
		{"before Linux 2.6.11", parseSteal, "cpu 1 2 3 4 5 6 7\n", 0, false},
		{"another line first", parseSteal, "intr 1 2 3 4 5 6 7 8\n" + stat, 0, false},
		{"one CPU's", parseSteal, "cpu0 1 2 3 4 5 6 7 8\n", 0, false},
		{"cut off", parseSteal, strings.TrimSuffix("cpu 1 2 3 4 5 6 7 8\n", "\n"), 0, false},
		{"negative steal", parseSteal, "cpu 1 2 3 4 5 6 7 -8\n", 0, false},
		{"too much steal", parseSteal, "cpu 1 2 3 4 5 6 7 9223372036854775807\n", 0, false},
		{"nothing", parseSteal, "", 0, false},
		{"pressure", parsePressure, pressure, 23395020345 * time.Microsecond, true},
		{"no line some", parsePressure, "full avg10=0.00 total=7\n", 0, false},
		{"no total", parsePressure, "some avg10=0.00\n", 0, false},
		{"total cut off", parsePressure, "some avg10=0.00 total=23395", 0, false},
		{"total is no number", parsePressure, "some total=x\n", 0, false},
	} {
		if got, known := test.parse(test.text); got != test.want || known != test.known {
			t.Errorf("%s: %v, %v; want %v, %v", test.name, got, known, test.want, test.known)
		}
	}
}

func FuzzParseWaits(f *testing.F) {
	f.Add(stat)
	f.Add(pressure)
	f.Fuzz(func(t *testing.T, s string) {
		for _, parse := range []func(string) (time.Duration, bool){parseSteal, parsePressure} {
			if d, known := parse(s); d < 0 || !known && d != 0 {
				t.Errorf("%q: %v, %v", s, d, known)
			}
		}
	})
}

// The group's own pressure counts if there is one, else the machine's.
func TestReadWaits(t *testing.T) {
	long := stat + strings.Repeat("intr 0 0 0 0 0 0 0 0\n", 1<<16) // of a machine with thousands of interrupts
	const own, all = "some avg10=0.00 total=11\n", "some avg10=0.00 total=22\n"
	for _, test := range []struct {
		name  string
		files map[string]string
		want  Waits
	}{
		{"version 2", map[string]string{
			"proc/self/cgroup": "0::/pod/box\n", "proc/stat": long, "proc/pressure/cpu": all,
			"sys/fs/cgroup/pod/box/cpu.pressure": own, "sys/fs/cgroup/pod/cpu.pressure": all,
			"sys/fs/cgroup/pod/box/cpu.stat": "throttled_usec 5\n",
		}, Waits{980330 * time.Millisecond, true, 11 * time.Microsecond, true, 5 * time.Microsecond}},
		{"version 2, in a namespace of its own", map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.pressure": own, "proc/pressure/cpu": all,
		}, Waits{0, false, 11 * time.Microsecond, true, 0}},
		{"version 2 shows the host's path, and the mount the container's", map[string]string{
			"proc/self/cgroup": "0::/../../kubepods/c1\n", "sys/fs/cgroup/cpu.pressure": own, "proc/pressure/cpu": all,
		}, Waits{0, false, 11 * time.Microsecond, true, 0}},
		{"another group has the path that leads out of the namespace", map[string]string{
			"proc/self/cgroup": "0::/../../kubepods/c1\n", "sys/fs/cgroup/cpu.pressure": own,
			"sys/fs/cgroup/kubepods/c1/cpu.pressure": all,
		}, Waits{0, false, 11 * time.Microsecond, true, 0}},
		{"version 1", map[string]string{
			"proc/self/cgroup": "4:cpu:/docker/0f\n", "proc/pressure/cpu": all, "proc/stat": stat,
		}, Waits{980330 * time.Millisecond, true, 22 * time.Microsecond, true, 0}},
		{"no PSI", map[string]string{"proc/stat": stat}, Waits{980330 * time.Millisecond, true, 0, false, 0}},
		{"PSI switched off in the group", map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.pressure": "0\n", "proc/pressure/cpu": all,
		}, Waits{0, false, 22 * time.Microsecond, true, 0}},
		{"not Linux", nil, Waits{}},
	} {
		if got := ReadWaits(tree(test.files)); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// Linux counts stolen time on every machine, if only as 0.
func TestReadWaitsHere(t *testing.T) {
	if w := ReadWaits(os.DirFS("/")); runtime.GOOS == "linux" && !w.StealKnown {
		if _, err := os.Stat("/proc/stat"); err == nil {
			t.Errorf("%+v, but there is /proc/stat", w)
		}
	}
}

func BenchmarkReadWaits(b *testing.B) {
	root := os.DirFS("/")
	b.ReportAllocs()
	for b.Loop() {
		ReadWaits(root)
	}
}
