// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package uniqueness

// What tests put under the package. All of it exists in builds with the tag fount_test alone, is for one goroutine at a
// time, and takes effect with the next Check unless it says otherwise. After a change, let the callers' state go stale
// (fount.Reseed): it was made under another word.

import "sync/atomic"

var hook struct {
	vmclock, sysgenid string
	off               bool
	word              *uint64
	words             uint64
}

func stand(rungs []rung) []rung {
	if hook.off {
		return []rung{{mode: modeKernel, why: "a test took the word away", shut: true}}
	}
	return rungs
}

// SetDevices puts plain files of a page at least in the place of the two devices, and forgets what was found; "" stands for
// the device.
func SetDevices(vmclock, sysgenid string) {
	climb.mu.Lock()
	defer climb.mu.Unlock()
	hook.vmclock, hook.sysgenid = vmclock, sysgenid
	climb.forget()
}

// SetOff forces mode "window" at once, or lets the search begin anew.
func SetOff(off bool) {
	climb.mu.Lock()
	defer climb.mu.Unlock()
	hook.off = off
	climb.forget()
	if off {
		climb.check()
	}
}

// SetWord makes p the word at once, in a mode "test" that is held whether p moves or not. It raises *p far above all
// values that were given out, and above those of real words.
func SetWord(p *uint64) {
	climb.mu.Lock()
	defer climb.mu.Unlock()
	climb.forget()
	hook.words++
	atomic.StoreUint64(p, max(atomic.LoadUint64(p), hook.words<<40))
	hook.word = p
	climb.rungs = []rung{}
	if err := climb.take(&rung{mode: "test"}, source{why: "a test owns the word", word: p, check: func() error { return nil }}); err != nil {
		panic(err)
	}
}

// Advance moves the word of SetWord by one, as a clone would find it moved.
func Advance() uint64 { return atomic.AddUint64(hook.word, 1) }

// Forget undoes the other hooks and forgets what was found: Load stands still at 0 until the next Check.
func Forget() {
	climb.mu.Lock()
	defer climb.mu.Unlock()
	hook.vmclock, hook.sysgenid, hook.off, hook.word = "", "", false, nil
	climb.forget()
}

// forget is the only place where Load goes back. Mapped pages stay mapped, because a goroutine may still be reading.
func (l *ladder) forget() {
	held.Store(false)
	atomic.StoreUint64(&still, 0)
	word.Store(&still)
	settle.on.Store(false)
	l.rungs, l.rest, l.taken, l.source, l.seen = nil, 0, nil, source{}, 0
	settled.Store(false)
	published.Store(nil)
}
