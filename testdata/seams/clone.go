// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

import (
	"sync/atomic"
	"time"
)

// Functions that replace the counter. The caller of one then calls fount.Reseed, because its state
// was made under another counter.

var (
	testCounter *uint64 // of SetCounter
	calls       uint64  // of SetCounter
)

// SetCounter makes p the counter at once, in a mode "test" that is trusted whether p changes or
// not. It raises *p far above all values that were given out, and above those of real counters.
func SetCounter(p *uint64) {
	with(func() {
		calls++
		atomic.StoreUint64(p, max(atomic.LoadUint64(p), calls<<40))
		testCounter = p
		global.methods = []method{}
		find := func() (source, error) {
			return source{why: "a test owns the counter", counter: p, check: func() error { return nil }}, nil
		}
		if err := global.use(&method{mode: "test", try: find}); err != nil {
			panic(err)
		}
	})
}

// SetEarly makes the next Check find p as vmclock's counter, which changes before the kernel has
// reseeded.
func SetEarly(p *uint64, check func() error) {
	with(func() {
		find := func() (source, error) {
			return source{why: "a test owns the counter", counter: p, beforeReseed: true, check: check}, nil
		}
		global.methods = []method{{mode: modeVMClock, try: find}}
	})
}

// Advance adds one to the counter of SetCounter, as a clone would see it.
func Advance() { atomic.AddUint64(testCounter, 1) }

// SetOff forces mode "window" at once.
func SetOff() {
	with(func() {
		global.methods = []method{{mode: modeKernel, why: "a test took the counter away", excluded: true}}
		global.find(true)
	})
}

// Forget undoes the others and forgets what was found: Load returns 0 until the next Check.
func Forget() { with(func() {}) }

// with forgets everything and calls f. Nothing else lets Load go back. Mapped pages stay mapped,
// because a goroutine may still be reading them.
func with(f func()) {
	global.mu.Lock()
	defer global.mu.Unlock()
	trusted.Store(false)
	atomic.StoreUint64(&fixed, 0)
	counter.Store(&fixed)
	settling.enabled.Store(false)
	global.methods, global.pauseUntil, global.mode, global.source, global.seen = nil, time.Time{}, "", source{}, 0
	finished.Store(false)
	published.Store(nil)
	f()
}
