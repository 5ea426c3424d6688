// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package main

// Draws that straddle refills: many callers, each on a P and a thread of its own, draw
// in one way each. There are more threads than processors, so most are halted within
// a draw whenever the word moves.

import (
	"encoding/base32"
	"encoding/base64"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"fount"
	"fount/test/clone/wire"
	"fount/uniqueness"
)

type caller struct {
	way    int
	mark   *struct{ Begun, Done uint64 }
	base   *atomic.Uint64
	words  [][2]uint64
	values []byte
}

// straddlers are all callers.
type straddlers struct {
	all    [wire.Callers]*caller
	base   atomic.Uint64 // the word at the snapshot, 0 as long as nobody has said it
	redone uint64
	wg     sync.WaitGroup
}

// newStraddlers starts the callers and returns when each has drawn. The tray is page-aligned,
// and is never unmapped.
func newStraddlers(tray []byte) *straddlers {
	runtime.GOMAXPROCS(wire.Callers + 1)
	marks := (*wire.CallerMarks)(unsafe.Pointer(unsafe.SliceData(tray)))
	s := &straddlers{}
	i := 0
	for w, way := range wire.Ways {
		for range way.Callers {
			s.all[i] = &caller{w, &marks[i], &s.base, make([][2]uint64, way.Kept), make([]byte, way.Kept*way.Size)}
			s.wg.Go(s.all[i].run)
			i++
		}
	}
	s.pass()
	return s
}

// pass returns when every caller has ended a draw that it began after the call.
func (s *straddlers) pass() {
	for _, c := range s.all {
		begun := atomic.LoadUint64(&c.mark.Begun)
		for atomic.LoadUint64(&c.mark.Done) <= begun {
			time.Sleep(time.Millisecond)
		}
	}
}

// arm lets the callers end soon after the word has moved from what it is now.
func (s *straddlers) arm() (word uint64) {
	s.pass()
	s.redone = fount.Status().Redone
	word = uniqueness.Load()
	s.base.Store(word)
	return word
}

func (c *caller) run() {
	way := wire.Ways[c.way]
	for i, more := uint64(0), way.More; more > 0; i++ {
		k := int(i % uint64(way.Kept))
		atomic.StoreUint64(&c.mark.Begun, i+1)
		before := uniqueness.Load()
		c.draw(c.values[k*way.Size:][:way.Size])
		after := uniqueness.Load()
		c.words[k] = [2]uint64{before, after}
		atomic.StoreUint64(&c.mark.Done, i+1)
		if base := c.base.Load(); base != 0 && before > base {
			more--
		}
	}
}

func (c *caller) draw(b []byte) {
	switch wire.Ways[c.way].Name {
	case "Key":
		*(*[32]byte)(b) = fount.Key()
		fount.Uint32()
	case "Token of 600 B":
		_, err := base64.RawURLEncoding.Decode(b, []byte(fount.Token(600)))
		must(err)
	case "Text, its first 15 B":
		_, err := base32.StdEncoding.Decode(b, []byte(fount.Text()[:24])) // 24 characters of 5 bits
		must(err)
	case "two Reads of 500 B, joined":
		fount.Read(b[:500])
		fount.Read(b[500:])
	default:
		fount.Read(b)
	}
}

// dump returns when all callers have ended.
func (s *straddlers) dump(since *[wire.Callers]uint64) (d wire.StraddlingDump) {
	s.wg.Wait()
	d.Word = uniqueness.Load()
	d.Redone = [2]uint64{s.redone, fount.Status().Redone}
	for i, c := range s.all {
		way, end := wire.Ways[c.way], c.mark.Done
		out := &d.Callers[i]
		out.Way = c.way
		out.First = max(since[i], end-min(end, uint64(way.Kept)))
		for n := out.First; n < end; n++ {
			k := int(n % uint64(way.Kept))
			out.Words = append(out.Words, c.words[k])
			out.Values = append(out.Values, c.values[k*way.Size:][:way.Size]...)
		}
	}
	return d
}
