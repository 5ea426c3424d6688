// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

func (p page) put32(off int, v uint32) {
	w := p.uint64At(off &^ 7)
	shift := 8 * (off & 7)
	atomic.StoreUint64(w, atomic.LoadUint64(w)&^(0xffffffff<<shift)|uint64(v)<<shift)
}

func (p page) put64(off int, v uint64) { atomic.StoreUint64(p.uint64At(off), v) }

// clockPage makes a good vmclock, in memory.
func clockPage(t *testing.T) page {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		if _, err := make(page, 4096).vmclockSource(); err == nil {
			t.Error("a big-endian CPU takes little-endian fields")
		}
		t.Skip("the fields are little-endian and this CPU is not")
	}
	p, err := mmap("a page", -1, os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	p.put32(clockMagicAt, clockMagic)
	p.put32(clockSizeAt, uint32(len(p)))
	p.put32(clockVersionAt, clockVersion)
	p.put32(clockSeqAt, 8)
	p.put64(clockFlagsAt, clockHasCounter|1)
	p.put64(clockMarkerAt, 11)
	p.put64(clockCounterAt, 22)
	return p
}

func clockMethod(p page) method { return method{mode: modeVMClock, try: p.vmclockSource} }

func TestVMClock(t *testing.T) {
	p := clockPage(t)
	useMethods(t, clockMethod(p))
	Check()
	wantMode(t, "vmclock", true, "vm_generation_counter")
	if Load() != 22 {
		t.Fatalf("Load is %d, want 22", Load())
	}
	p.put64(clockMarkerAt, 12) // a live migration
	if Load() != 22 {
		t.Fatal("Load changed with the disruption marker")
	}
	p.put64(clockCounterAt, 23)
	if Load() != 23 {
		t.Fatal("Load did not change with the counter")
	}
	if !Settling() {
		t.Fatal("vmclock changes before the kernel has reseeded")
	}
	Check()
	wantMode(t, "vmclock", true, "")
	if n := testing.AllocsPerRun(100, Check); n != 0 {
		t.Fatalf("Check allocates %v times", n)
	}
}

func TestVMClockWithoutCounter(t *testing.T) {
	p := clockPage(t)
	p.put64(clockFlagsAt, 1)
	p.put32(clockSizeAt, clockMinSize)
	useMethods(t, clockMethod(p))
	Check()
	wantMode(t, "vmclock", true, "disruption_marker")
	p.put64(clockMarkerAt, 13)
	if Load() != 13 {
		t.Fatalf("Load is %d, want 13", Load())
	}
	// A migration to a hypervisor that has the counter changes nothing.
	p.put32(clockSizeAt, uint32(len(p)))
	p.put64(clockFlagsAt, clockHasCounter)
	Check()
	wantMode(t, "vmclock", true, "disruption_marker")
}

func TestVMClockUnusable(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(p page)
		why   string
	}{
		"magic":                  {func(p page) { p.put32(clockMagicAt, 0x4b4c4357) }, "magic is 0x4b4c4357"},
		"version":                {func(p page) { p.put32(clockVersionAt, 2) }, "version is 2"},
		"size":                   {func(p page) { p.put32(clockSizeAt, clockMinSize-1) }, "size is 103"},
		"size without counter":   {func(p page) { p.put32(clockSizeAt, clockCounterAt+7) }, "size is 111"},
		"sequence odd for ever":  {func(p page) { p.put32(clockSeqAt, 9) }, "seq_count"},
		"counter beyond counter": {func(p page) { p.put64(clockCounterAt, 1<<63) }, "2^63"},
		"all zero":               {func(p page) { clear(p) }, "magic is 0x0"},
	} {
		t.Run(name, func(t *testing.T) {
			p := clockPage(t)
			c.spoil(p)
			useMethods(t, clockMethod(p))
			Check()
			wantMode(t, "window", false, c.why)
		})
	}
}

// update is what a hypervisor does: both headers are good, and each has its size and flag.
func update(p page, i uint32) {
	seq := p.u32(clockSeqAt)
	p.put32(clockSeqAt, seq+1)
	p.put32(clockSizeAt, 1000+i%2)
	p.put64(clockFlagsAt, uint64(i%2))
	p.put32(clockSeqAt, seq+2)
}

// TestVMClockTorn: whenever an update comes, a reader sees one header or the other.
func TestVMClockTorn(t *testing.T) {
	p := clockPage(t)
	update(p, 0)
	var stop atomic.Bool
	updates := make(chan uint32)
	go func() {
		n := uint32(0)
		for !stop.Load() {
			n++
			update(p, n)
		}
		updates <- n
	}()
	for range 100_000 {
		// The system may stop the writer within an update.
		if h, err := p.header(); err != errBusy && (err != nil || uint64(h.size-1000) != h.flags) {
			t.Errorf("size %d with flags %d, error %v", h.size, h.flags, err)
			break
		}
	}
	stop.Store(true)
	t.Logf("%d updates", <-updates)
}

func TestVMClockDropped(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(p page)
		checks int
		why    string
	}{
		"counter taken back":    {spoil: func(p page) { p.put64(clockFlagsAt, 0) }, checks: 1, why: "was taken back"},
		"magic":                 {spoil: func(p page) { p.put32(clockMagicAt, 1) }, checks: 1, why: "magic is 0x1"},
		"value went back":       {spoil: func(p page) { p.put64(clockCounterAt, 21) }, checks: 1, why: "went back"},
		"sequence odd for ever": {spoil: func(p page) { p.put32(clockSeqAt, 9) }, checks: maxBusy, why: "seq_count"},
	} {
		t.Run(name, func(t *testing.T) {
			p := clockPage(t)
			useMethods(t, clockMethod(p))
			Check()
			before := Load()

			c.spoil(p)
			for range c.checks - 1 {
				Check()
				wantMode(t, "vmclock", true, "")
			}

			Check()
			wantMode(t, "window", false, c.why)
			if Load() <= before {
				t.Fatalf("Load is %d, was %d", Load(), before)
			}
		})
	}
}

func TestNoDevice(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, make([]byte, os.Getpagesize()), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, why := range map[string]string{
		plain + "0":         "no such file",
		plain:               "not a device",
		"/dev/zero":         "not a device",
		filepath.Dir(plain): "not a device",
	} {
		if _, err := findVMClock(path); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, must contain %q", path, err, why)
		}
	}
}
