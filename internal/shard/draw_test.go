// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func TestReadFillsEveryLength(t *testing.T) {
	lengths := []int{chunk - 1, chunk, chunk + 1, 2*chunk + 17, 1 << 20}
	for n := range 1100 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		const edge = 0xA5
		buf := bytes.Repeat([]byte{edge}, n+32)
		b := buf[16 : 16+n]
		clear(b)
		Read(b)
		if !bytes.Equal(buf[:16], bytes.Repeat([]byte{edge}, 16)) || !bytes.Equal(buf[16+n:], bytes.Repeat([]byte{edge}, 16)) {
			t.Fatalf("length %d: wrote outside b", n)
		}
		if bytes.Contains(b, make([]byte, 8)) { // 2^-43 for 1 MiB
			t.Fatalf("length %d: 8 zero bytes in a row", n)
		}
		if n > 32 && bytes.Contains(b[16:], b[:16]) {
			t.Fatalf("length %d: the first 16 bytes come again", n)
		}
	}
}

// No two of all goroutines' draws are equal, while GOMAXPROCS grows and
// shrinks under them.
func TestNoRepeatAcrossGoroutines(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const goroutines, draws = 32, 4000
	seen := make([]map[[16]byte]bool, goroutines)
	var wg sync.WaitGroup
	var done atomic.Bool
	gate := make(chan struct{})
	for g := range goroutines {
		seen[g] = make(map[[16]byte]bool, draws)
		wg.Go(func() {
			<-gate
			var small [5]byte
			for range draws {
				var b [16]byte
				Read16(&b)
				seen[g][b] = true
				Read(small[:])
				Uint64()
				Uint32()
			}
		})
	}
	var resizer sync.WaitGroup
	resizer.Go(func() {
		<-gate
		for n := 1; !done.Load(); n = n%9 + 1 {
			runtime.GOMAXPROCS(n)
			runtime.Gosched()
		}
	})
	close(gate)
	wg.Wait()
	done.Store(true)
	resizer.Wait()

	all := make(map[[16]byte]bool, goroutines*draws)
	for _, m := range seen {
		for b := range m {
			all[b] = true
		}
	}
	if len(all) != goroutines*draws {
		t.Errorf("%d of %d draws repeated", goroutines*draws-len(all), goroutines*draws)
	}
}

// Bytes in a buffer when Reseed is called are never served after it returns.
func TestReseedDropsWhatIsBuffered(t *testing.T) {
	s := onOneP(t)
	Uint64()
	buffered := bytes.Clone(s.block[keySize:][:s.left])
	n := s.reseeds.Load()
	Reseed()
	after := make([]byte, len(buffered))
	Read(after)
	if s.reseeds.Load() == n {
		t.Fatal("no new seed was drawn")
	}
	for i := range len(after) - 7 {
		if bytes.Contains(buffered, after[i:i+8]) {
			t.Fatalf("bytes buffered before Reseed were served after it, at %d", i)
		}
	}
}

// What was drawn before the generation moved is wiped and made again, all of it, and
// what was drawn under one generation is kept.
func TestWholeMakesADrawAgain(t *testing.T) {
	for _, n := range []int{0, 8, 39, 40} { // bytes that are there
		b := bytes.Repeat([]byte{1}, 40)
		before := redone.Load()
		finish(b, n, generation())
		if !bytes.Equal(b[:n], bytes.Repeat([]byte{1}, n)) || bytes.Contains(b[n:], []byte{1, 1, 1}) {
			t.Errorf("%d bytes, the same generation: %x", n, b)
		}
		if now := redone.Load(); now != before {
			t.Errorf("%d bytes, the same generation: %d draws were made again", n, now-before)
		}

		gen := generation()
		Reseed()
		b = bytes.Repeat([]byte{1}, 40)
		before = redone.Load()
		finish(b, n, gen)
		if bytes.Contains(b, []byte{1, 1, 1}) || bytes.Contains(b, make([]byte, 4)) {
			t.Errorf("%d bytes, moved: %x", n, b)
		}
		if now := redone.Load(); now == before && n > 0 {
			t.Errorf("%d bytes, moved: no draw was made again", n)
		}
	}
}

// The same from outside: draws race with reseeds until some were redone, and
// all come out filled. 64 KiB reads are preempted in their middle even on one P.
func TestDrawsRaceWithReseed(t *testing.T) {
	var stop atomic.Bool
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop.Store(true)
	wg.Go(func() {
		for !stop.Load() {
			Reseed()
			runtime.Gosched()
		}
	})
	b := make([]byte, chunk)
	start := redone.Load()
	for range 100000 {
		Read(b)
		if binary.LittleEndian.Uint64(b) == 0 || binary.LittleEndian.Uint64(b[chunk-8:]) == 0 {
			t.Fatal("a redone read was left wiped")
		}
		if redone.Load() > start+3 {
			return
		}
	}
	t.Error("no read was redone while the generation kept moving")
}
