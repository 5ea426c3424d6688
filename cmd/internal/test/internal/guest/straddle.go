// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package main

// Draws that straddle refills: many callers, each with a P and a thread of its own, draw in one way
// each. There are more threads than processors, so most are halted within a draw when the word
// moves.

import (
	"encoding/base32"
	"encoding/base64"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"fount"
	"fount/cmd/internal/test/internal/wire"
	"fount/internal/clone"
)

type caller struct {
	way    int
	mark   *struct{ Begun, Done uint64 }
	base   *atomic.Uint64 // the word at the snapshot, 0 before it
	words  [][2]uint64
	values []byte
}

// straddle draws until some time after the word has moved.
func straddle() {
	seek()
	tray := openTray()
	runtime.GOMAXPROCS(wire.Callers + 1)
	marks := (*wire.CallerMarks)(unsafe.Pointer(unsafe.SliceData(tray))) // aligned, never unmapped
	var callers []*caller
	var base atomic.Uint64
	var all sync.WaitGroup
	for w, way := range wire.Ways {
		for range way.Callers {
			c := &caller{w, &marks[len(callers)], &base, make([][2]uint64, way.Kept), make([]byte, way.Kept*way.Size)}
			callers = append(callers, c)
			all.Go(c.run)
		}
	}
	pass(callers)
	settle()
	pass(callers)
	word := clone.Load()
	base.Store(word)
	order := offer(word)
	// From here on there are clones.
	all.Wait()
	d := wire.StraddlingDump{Word: clone.Load()}
	for i, c := range callers {
		d.Callers[i] = c.dump(order.Since[i])
	}
	leave(tray, d)
}

// pass returns when every caller has ended a draw that it began after the call.
func pass(callers []*caller) {
	for _, c := range callers {
		begun := atomic.LoadUint64(&c.mark.Begun)
		for atomic.LoadUint64(&c.mark.Done) <= begun {
			time.Sleep(time.Millisecond)
		}
	}
}

func (c *caller) run() {
	way := wire.Ways[c.way]
	for i, more := uint64(0), way.More; more > 0; i++ {
		k := int(i % uint64(way.Kept))
		atomic.StoreUint64(&c.mark.Begun, i+1)
		before := clone.Load()
		c.draw(c.values[k*way.Size:][:way.Size])
		after := clone.Load()
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
		_, err := base32.StdEncoding.Decode(b, []byte(fount.Text()[:24])) // 5 bits a character
		must(err)
	case "two Reads of 500 B, joined":
		fount.Read(b[:500])
		fount.Read(b[500:])
	default:
		fount.Read(b)
	}
}

// dump returns the draws from since on that are kept.
func (c *caller) dump(since uint64) wire.CallerDump {
	way, end := wire.Ways[c.way], c.mark.Done
	d := wire.CallerDump{Way: c.way, First: max(since, end-min(end, uint64(way.Kept)))}
	for n := d.First; n < end; n++ {
		k := int(n % uint64(way.Kept))
		d.Words = append(d.Words, c.words[k])
		d.Values = append(d.Values, c.values[k*way.Size:][:way.Size]...)
	}
	return d
}
