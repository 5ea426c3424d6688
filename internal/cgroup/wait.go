// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cgroup

// What others take: time that this process would have used and did not get.

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Waits is how long the kernel says that tasks which could run did not. Each time is known or 0, and never falls.
type Waits struct {
	Steal         time.Duration // of all CPUs together, taken by the host from this virtual machine; proc(5), /proc/stat
	StealKnown    bool
	Pressure      time.Duration // in which at least one task waited for a CPU; PSI, the line "some"
	PressureKnown bool

	// Throttled is for how long this process's group and those above it were kept from running because a quota was used up:
	// each of them stops all below it. It is 0 also where there is no quota.
	Throttled time.Duration
}

// A Meter reads them again and again: the pressure of the nearest group, from the process's own upwards, that has a file for
// it (version 2), else the whole machine's.
//
// Its counters begin with what the kernel has counted. A process without a free descriptor leaves them as they were. When it
// moves to another group, whose own count may be anything, they go on from where they are with what the other group adds.
// Its methods may be called from any goroutine.
type Meter struct {
	head reader

	mu     sync.Mutex // held while files are read, some ten microseconds
	buffer []byte
	text   string   // of /proc/self/cgroup, as it was
	stats  []string // the files of throttling for that
	wants  []string // and of pressure, the nearest first

	steal, pressure, throttled counter
}

// A reader fills b with the front of a file, and returns how much of b that is, or errLater, or another error where there is
// nothing to read.
type reader func(name string, b []byte) (int, error)

// errLater says that a file can't be read now, and perhaps soon.
var errLater = errors.New("no descriptor or no memory")

// NewMeter returns a Meter of this machine.
func NewMeter() *Meter { return &Meter{head: readHead} }

// NewMeterIn returns a Meter of the machine whose root is given.
func NewMeterIn(root fs.FS) *Meter {
	return &Meter{head: func(name string, b []byte) (int, error) {
		f, err := root.Open(name)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		n, err := io.ReadFull(f, b)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = nil
		}
		return n, err
	}}
}

// Read reads the files.
func (m *Meter) Read() Waits {
	m.mu.Lock()
	defer m.mu.Unlock()
	text, _ := m.front("proc/stat", 512) // it is long on large machines
	steal, known := parseSteal(text)
	m.steal.add("proc/stat", steal, known)
	if m.readGroups() {
		m.readThrottled()
		m.readPressure()
	}
	m.throttled.told = true
	return Waits{m.steal.sum, m.steal.known, m.pressure.sum, m.pressure.known, m.throttled.sum}
}

// readGroups sees to it that the names of files are those of the process's groups of now, and reports whether it could.
func (m *Meter) readGroups() bool {
	text, err := m.whole("proc/self/cgroup")
	switch {
	case errors.Is(err, errLater):
		return false
	case text == m.text && m.wants != nil:
		return true
	}
	m.text = text
	m.stats, m.wants = nil, nil
	v2, v1 := parseGroups(text)
	for group := range upwards(v2) { // a path from outside of the namespace is not below the mount
		m.stats = append(m.stats, path.Join("sys/fs/cgroup", group, "cpu.stat"))
		m.wants = append(m.wants, path.Join("sys/fs/cgroup", group, "cpu.pressure"))
	}
	for group := range upwards(v1) {
		m.stats = append(m.stats, path.Join("sys/fs/cgroup/cpu", group, "cpu.stat"))
	}
	m.wants = append(m.wants, "proc/pressure/cpu")
	return true
}

func (m *Meter) readThrottled() {
	sum, from := time.Duration(0), ""
	for _, name := range m.stats {
		text, err := m.whole(name)
		if errors.Is(err, errLater) {
			return
		}
		d, ok := field(text, "throttled_usec", time.Microsecond) // version 2
		if !ok {
			d, ok = field(text, "throttled_time", time.Nanosecond) // version 1
		}
		if ok {
			sum += d
			from += name
		}
	}
	m.throttled.add(from, sum, from != "")
}

func (m *Meter) readPressure() {
	for _, name := range m.wants {
		text, err := m.front(name, 512)
		if errors.Is(err, errLater) {
			return
		}
		if d, known := parsePressure(text); known {
			m.pressure.add(name, d, true)
			return
		}
	}
}

// A counter follows a count of the kernel, and then another one.
type counter struct {
	known bool
	told  bool // also while it was not known: as 0
	sum   time.Duration
	from  string        // where the count was read
	last  time.Duration // the count
}

// add notes a count. Of another one, or of one that has begun anew, it is not known what it would have been before.
func (c *counter) add(from string, count time.Duration, known bool) {
	switch {
	case !known:
		return
	case !c.known && !c.told:
		c.sum = count
	case from == c.from && count > c.last:
		c.sum += count - c.last
	}
	c.known, c.from, c.last = true, from, count
}

// front returns at most n bytes of a file, "" with an error.
func (m *Meter) front(name string, n int) (string, error) {
	if len(m.buffer) < n {
		m.buffer = make([]byte, max(n, 4<<10))
	}
	n, err := m.head(name, m.buffer[:n])
	if err != nil {
		return "", err
	}
	return string(m.buffer[:n]), nil
}

// whole returns a file up to 1 MiB.
func (m *Meter) whole(name string) (text string, err error) {
	for n := 4 << 10; n <= 1<<20; n *= 4 {
		if text, err = m.front(name, n); err != nil || len(text) < n {
			break
		}
	}
	return text, err
}

// tick is the unit of /proc/stat, 1/USER_HZ seconds: 100 on all architectures that Go knows.
const tick = time.Second / 100

// parseSteal reads the first line of /proc/stat: "cpu", user, nice, system, idle, iowait, irq, softirq, steal, ...
func parseSteal(stat string) (time.Duration, bool) {
	line, _, whole := strings.Cut(stat, "\n")
	if !whole || !strings.HasPrefix(line, "cpu ") {
		return 0, false
	}
	n := 0
	for f := range strings.FieldsSeq(line) {
		if n++; n == 9 {
			return units(f, tick)
		}
	}
	return 0, false
}

// parsePressure reads "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234", in µs.
func parsePressure(text string) (time.Duration, bool) {
	for line := range strings.Lines(text) {
		rest, some := strings.CutPrefix(line, "some ")
		if !some || !strings.HasSuffix(line, "\n") {
			continue
		}
		for f := range strings.FieldsSeq(rest) {
			if total, ok := strings.CutPrefix(f, "total="); ok {
				return units(total, time.Microsecond)
			}
		}
	}
	return 0, false
}

// field returns the number behind a name in lines of "name number".
func field(text, name string, unit time.Duration) (time.Duration, bool) {
	for line := range strings.Lines(text) {
		if number, ok := strings.CutPrefix(line, name+" "); ok {
			return units(strings.TrimSpace(number), unit)
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
