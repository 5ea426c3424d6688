// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package uniqueness

import (
	"sync/atomic"

	"fount/internal/seam"
)

func init() {
	seam.SetDevice, seam.SetOff, seam.SetWord = setDevice, setOff, setWord
	seam.Advance, seam.Forget = advance, forget
}

// put is what tests put under the package.
var put struct {
	vmclock string
	off     bool
	word    *uint64
	words   uint64
}

func stand(rungs []rung) []rung {
	if put.off {
		return []rung{{mode: modeKernel, why: "a test took the word away", shut: true}}
	}
	return rungs
}

func setDevice(vmclock string) {
	climb.mu.Lock()
	defer climb.mu.Unlock()
	put.vmclock = vmclock
	climb.forget()
}

func setOff(off bool) {
	climb.mu.Lock()
	defer climb.mu.Unlock()
	put.off = off
	climb.forget()
	if off {
		climb.check()
	}
}

func setWord(p *uint64) {
	climb.mu.Lock()
	defer climb.mu.Unlock()
	climb.forget()
	put.words++
	atomic.StoreUint64(p, max(atomic.LoadUint64(p), put.words<<40))
	put.word = p
	climb.rungs = []rung{}
	if err := climb.take(&rung{mode: "test"}, source{why: "a test owns the word", word: p, check: func() error { return nil }}); err != nil {
		panic(err)
	}
}

func advance() uint64 { return atomic.AddUint64(put.word, 1) }

func forget() {
	climb.mu.Lock()
	defer climb.mu.Unlock()
	put.vmclock, put.off, put.word = "", false, nil
	climb.forget()
}

// forget is the only place where Load goes back. Mapped pages stay mapped, because a goroutine may still
// be reading them.
func (l *ladder) forget() {
	held.Store(false)
	atomic.StoreUint64(&still, 0)
	word.Store(&still)
	settle.on.Store(false)
	l.rungs, l.rest, l.taken, l.source, l.seen = nil, 0, nil, source{}, 0
	settled.Store(false)
	published.Store(nil)
}
