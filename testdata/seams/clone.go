// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

import (
	"sync/atomic"
	"time"
)

// These move the word. After one, make the callers' state stale (fount.Reseed): it was made under another word.

var (
	own   *uint64 // the word of SetWord
	words uint64
)

// SetWord makes p the word at once, in a mode "test" that is held whether p moves or not. It raises *p far above all
// values that were given out, and above those of real words.
func SetWord(p *uint64) {
	with(func() {
		words++
		atomic.StoreUint64(p, max(atomic.LoadUint64(p), words<<40))
		own = p
		climb.rungs = []rung{}
		if err := climb.take(&rung{mode: "test"}, source{why: "a test owns the word", word: p, check: func() error { return nil }}); err != nil {
			panic(err)
		}
	})
}

// SetEarly puts p in the place of vmclock's word, for the next Check to find: it moves before the kernel has reseeded.
func SetEarly(p *uint64, check func() error) {
	with(func() {
		find := func() (source, error) {
			return source{why: "a test owns the word", word: p, early: true, check: check}, nil
		}
		climb.rungs = []rung{{mode: modeVMClock, try: find}}
	})
}

// Advance moves the word of SetWord by one, as a clone would find it moved.
func Advance() { atomic.AddUint64(own, 1) }

// SetOff forces mode "window" at once.
func SetOff() {
	with(func() {
		climb.rungs = []rung{{mode: modeKernel, why: "a test took the word away", shut: true}}
		climb.find(true)
	})
}

// Forget undoes the others and forgets what was found: Load stands still at 0 until the next Check.
func Forget() { with(func() {}) }

// with forgets, which alone lets Load go back, and calls f. Mapped pages stay mapped, because a goroutine may still be
// reading them.
func with(f func()) {
	climb.mu.Lock()
	defer climb.mu.Unlock()
	held.Store(false)
	atomic.StoreUint64(&still, 0)
	word.Store(&still)
	settle.on.Store(false)
	climb.rungs, climb.rest, climb.taken, climb.source, climb.seen = nil, time.Time{}, nil, source{}, 0
	settled.Store(false)
	published.Store(nil)
	f()
}
