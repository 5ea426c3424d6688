// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package main

// Seeds from the clock: a goroutine takes one after the other, and draws from fount beside each. The machine is
// cloned meanwhile.

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"fount"
	"fount/test/clone/wire"
	"fount/uniqueness"
)

// keptSeeds is how many seeds are kept: more than are taken until the clone has its order.
const keptSeeds = 1 << 19

// A seeder takes seeds all the time.
type seeder struct {
	mark *wire.ClockMark
	ring [keptSeeds]wire.ClockDraw
	last atomic.Uint64 // the draw before which it ends
	done chan struct{}
}

func (s *seeder) run() {
	for i := uint64(0); i < s.last.Load(); i++ {
		atomic.StoreUint64(&s.mark.Begun, i+1)
		d := seed()
		s.ring[i%keptSeeds] = d
		atomic.StoreInt64(&s.mark.Seed, d.Seed)
		atomic.StoreUint64(&s.mark.Done, i+1)
	}
	close(s.done)
}

func seed() (d wire.ClockDraw) {
	d.Seed = time.Now().UnixNano() //fount:ignore clockseed a seed of the clock is what is tried
	d.Before = uniqueness.Load()
	d.Nonce = fount.Nonce()
	d.After = uniqueness.Load()
	return d
}

// clock seeds from the clock before it is cloned and after.
func clock(tray []byte, link *os.File, ready *wire.Ready, moves bool) any {
	source, err := os.ReadFile("/sys/devices/system/clocksource/clocksource0/current_clocksource")
	must(err)
	if !moves {
		must(fmt.Errorf("the word must move, to tell when the clones' draws of fount differ"))
	}
	settle()
	dump := wire.ClockDump{Source: strings.TrimSpace(string(source)), Kept: seed().Seed}
	// The tray is page-aligned, and is never unmapped.
	s := &seeder{mark: (*wire.ClockMark)(unsafe.Pointer(unsafe.SliceData(tray))), done: make(chan struct{})}
	s.last.Store(1 << 63)
	go s.run()
	for atomic.LoadUint64(&s.mark.Done) < warm {
		runtime.Gosched()
	}
	ready.Word = uniqueness.Load()
	resume := offer(link, ready)
	// From here on there are clones.
	dump.Asked = seed()
	first := resume.From[0]
	end := max(first, atomic.LoadUint64(&s.mark.Done)) + 1
	s.last.Store(end)
	<-s.done
	if n := atomic.LoadUint64(&s.mark.Done) - first; n > keptSeeds {
		must(fmt.Errorf("%d seeds since the snapshot, only %d are kept", n, keptSeeds))
	}
	dump.First = s.ring[first%keptSeeds]
	for uniqueness.Load() == ready.Word {
		runtime.Gosched()
	}
	dump.Moved = seed()
	return dump
}
