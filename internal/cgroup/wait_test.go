// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cgroup

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"strings"
	"sync"
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
func TestMeter(t *testing.T) {
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
		if got := NewMeterIn(tree(test.files)).Read(); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// A machine is files that change. Those that hold "later" get no descriptor.
type machine map[string]string

func (m machine) head(name string, b []byte) (int, error) {
	text, ok := m[name]
	switch {
	case !ok:
		return 0, fs.ErrNotExist
	case text == "later":
		return 0, errLater
	}
	return copy(b, text), nil
}

// Counters never fall and never jump, whatever becomes of the files: each step changes some and says what the counters have
// added since.
func TestMeterGoesOn(t *testing.T) {
	steal := func(ticks int) string { return fmt.Sprintf("cpu  0 0 0 0 0 0 0 %d 0 0\n", ticks) }
	some := func(us int) string { return fmt.Sprintf("some avg10=0.00 total=%d\n", us) }
	throttled := func(us int) string { return fmt.Sprintf("nr_periods 1\nthrottled_usec %d\n", us) }
	const (
		own, parent   = "sys/fs/cgroup/a/b/", "sys/fs/cgroup/a/"
		stat, group   = "proc/stat", "proc/self/cgroup"
		cpu, pressure = "cpu.stat", "cpu.pressure"
		all           = "proc/pressure/cpu"
	)
	long := strings.Repeat("9:pids:/x\n", 2000)
	type step struct {
		name  string
		files machine
		want  [3]int // ticks of steal, µs of pressure, µs throttled
	}
	first := step{"first", machine{
		group: "0::/a/b\n", stat: steal(100), own + pressure: some(50), all: some(9e6),
		own + cpu: throttled(7), parent + cpu: throttled(3),
	}, [3]int{100, 50, 10}}
	for _, test := range [][]step{
		{first,
			{"all grow", machine{stat: steal(101), own + pressure: some(52), own + cpu: throttled(8), parent + cpu: throttled(5)}, [3]int{1, 2, 3}},
		},
		{first,
			{"no descriptor for the group's files", machine{own + pressure: "later", own + cpu: "later"}, [3]int{}},
			{"they are back", machine{own + pressure: some(60), own + cpu: throttled(11)}, [3]int{0, 10, 4}},
			{"none for anything", machine{group: "later", stat: "later", own + pressure: "later", all: "later", own + cpu: "later"}, [3]int{}},
			{"all are back", machine{group: "0::/a/b\n", stat: steal(102), own + pressure: some(61), all: some(10e6), own + cpu: throttled(12)}, [3]int{2, 1, 1}},
		},
		{first,
			{"moved", machine{
				group: "0::/c\n", "sys/fs/cgroup/c/" + pressure: some(8e6), "sys/fs/cgroup/c/" + cpu: throttled(5e6),
			}, [3]int{}},
			{"there it goes on", machine{"sys/fs/cgroup/c/" + pressure: some(8e6 + 2), "sys/fs/cgroup/c/" + cpu: throttled(5e6 + 3)}, [3]int{0, 2, 3}},
			{"moved back", machine{group: "0::/a/b\n", own + pressure: some(70), own + cpu: throttled(70)}, [3]int{}},
			{"there it goes on", machine{own + pressure: some(71), own + cpu: throttled(72)}, [3]int{0, 1, 2}},
			{"moved to one with less", machine{group: "0::/d\n", "sys/fs/cgroup/d/" + pressure: some(1), "sys/fs/cgroup/d/" + cpu: throttled(1)}, [3]int{}},
			{"there it goes on", machine{"sys/fs/cgroup/d/" + pressure: some(2), "sys/fs/cgroup/d/" + cpu: throttled(2)}, [3]int{0, 1, 1}},
		},
		{first,
			{"moved below a long list", machine{group: long + "0::/c\n", "sys/fs/cgroup/c/" + cpu: throttled(4)}, [3]int{}},
			{"there it goes on", machine{"sys/fs/cgroup/c/" + cpu: throttled(6)}, [3]int{0, 0, 2}},
		},
		{first,
			{"the group's files are gone", machine{own + pressure: "", own + cpu: "", parent + cpu: ""}, [3]int{}},
			{"the machine's pressure goes on", machine{all: some(9e6 + 5)}, [3]int{0, 5, 0}},
			{"a new group of the same name", machine{own + pressure: some(1), own + cpu: throttled(1)}, [3]int{}},
			{"it goes on", machine{own + pressure: some(3), own + cpu: throttled(5)}, [3]int{0, 2, 4}},
		},
		{first,
			{"the machine counts anew", machine{stat: steal(3), own + pressure: some(0), own + cpu: throttled(0)}, [3]int{}},
			{"and goes on", machine{stat: steal(5), own + pressure: some(4), own + cpu: throttled(6)}, [3]int{2, 4, 6}},
		},
		{
			{"not a descriptor from the start", machine{group: "later", stat: "later"}, [3]int{}},
			{"there is one", machine{group: "0::/a\n", stat: steal(100), parent + cpu: throttled(5e6)}, [3]int{100, 0, 0}},
			{"it goes on", machine{parent + cpu: throttled(5e6 + 1)}, [3]int{0, 0, 1}}, // what was told as 0 before
		},
	} {
		now := machine{}
		m := &Meter{head: now.head}
		var before Waits
		for _, step := range test {
			maps.Copy(now, step.files)
			w := m.Read()
			got := [3]int{
				int((w.Steal - before.Steal) / tick), int((w.Pressure - before.Pressure).Microseconds()),
				int((w.Throttled - before.Throttled).Microseconds()),
			}
			if got != step.want {
				t.Errorf("%s: more by %v, want %v", step.name, got, step.want)
			}
			if before.StealKnown && !w.StealKnown || before.PressureKnown && !w.PressureKnown {
				t.Errorf("%s: not known any more", step.name)
			}
			before = w
		}
	}
}

// Those that read at once read one after the other: each sees no less than it saw before.
func TestMeterFromManyGoroutines(t *testing.T) {
	var ticks int // without a lock of its own
	m := &Meter{head: func(name string, b []byte) (int, error) {
		if name != "proc/stat" {
			return 0, fs.ErrNotExist
		}
		ticks++
		return copy(b, fmt.Sprintf("cpu  0 0 0 0 0 0 0 %d 0 0\n", ticks)), nil
	}}
	const readers, reads = 4, 200
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			var before time.Duration
			for range reads {
				w := m.Read()
				if w.Steal <= before {
					t.Errorf("%v after %v", w.Steal, before)
				}
				before = w.Steal
				runtime.Gosched()
			}
		})
	}
	all.Wait()
	if got := m.Read().Steal; got != (readers*reads+1)*tick {
		t.Errorf("%v in the end, want %v", got, (readers*reads+1)*tick)
	}
}

// Linux counts stolen time on every machine, if only as 0.
func TestMeterHere(t *testing.T) {
	if w := NewMeter().Read(); runtime.GOOS == "linux" && !w.StealKnown {
		if _, err := os.Stat("/proc/stat"); err == nil {
			t.Errorf("%+v, but there is /proc/stat", w)
		}
	}
}

func BenchmarkMeter(b *testing.B) {
	m := NewMeter()
	b.ReportAllocs()
	for b.Loop() {
		m.Read()
	}
}
