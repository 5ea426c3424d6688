// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

func TestReadFillsEveryLength(t *testing.T) {
	lengths := []int{chunk - 1, chunk, chunk + 1, 2*chunk + 17, 1 << 20}
	for n := range 1100 {
		lengths = append(lengths, n)
	}
	edge := bytes.Repeat([]byte{0xa5}, 16)
	for _, n := range lengths {
		buf := slices.Concat(edge, make([]byte, n), edge)
		b := buf[16 : 16+n]
		Read(b)
		if !bytes.HasPrefix(buf, edge) || !bytes.HasSuffix(buf, edge) {
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

// No two draws of all goroutines are equal, while GOMAXPROCS changes.
func TestNoRepeatAcrossGoroutines(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const goroutines, draws = 32, 4000
	var drawn [goroutines][draws][16]byte
	var drawers, resizer sync.WaitGroup
	var done atomic.Bool
	start := make(chan struct{})
	for g := range drawn {
		drawers.Go(func() {
			<-start
			var small [5]byte
			for i := range drawn[g] {
				Read16(&drawn[g][i])
				Read(small[:])
				Uint64()
				Uint32()
			}
		})
	}
	resizer.Go(func() {
		<-start
		for n := 1; !done.Load(); n = n%9 + 1 {
			runtime.GOMAXPROCS(n)
			runtime.Gosched()
		}
	})

	close(start)
	drawers.Wait()
	done.Store(true)
	resizer.Wait()

	different := map[[16]byte]bool{}
	for g := range drawn {
		for _, b := range drawn[g] {
			different[b] = true
		}
	}
	if len(different) != goroutines*draws {
		t.Errorf("%d of %d draws repeated", goroutines*draws-len(different), goroutines*draws)
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

// A draw that is finished under the generation of its first bytes keeps them. Under another
// generation all of it is made again.
func TestFinish(t *testing.T) {
	drawn := bytes.Repeat([]byte{1}, 40)
	for _, n := range []int{0, 8, 39, 40} { // bytes that are done
		t.Run(fmt.Sprintf("%d bytes, same generation", n), func(t *testing.T) {
			b := bytes.Clone(drawn)
			before := redone.Load()

			finish(b, n, generation())

			if !bytes.Equal(b[:n], drawn[:n]) || bytes.Contains(b[n:], drawn[:3]) {
				t.Errorf("the draw is %x", b)
			}
			if now := redone.Load(); now != before {
				t.Errorf("%d draws were made again", now-before)
			}
		})
		t.Run(fmt.Sprintf("%d bytes, another generation", n), func(t *testing.T) {
			b := bytes.Clone(drawn)
			before := redone.Load()

			gen := generation()
			Reseed()
			finish(b, n, gen)

			if bytes.Contains(b, drawn[:3]) || bytes.Contains(b, make([]byte, 4)) {
				t.Errorf("the draw is %x", b)
			}
			if now := redone.Load(); now == before && n > 0 {
				t.Error("no draw was made again")
			}
		})
	}
}

// Reads race with Reseed until some were made again, and all are filled. Reads of 64 KiB are
// preempted in their middle even on one P.
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
