// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pools

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// Mix adds and does not overwrite, and gives what it gave to nobody else.
func TestMixAdds(t *testing.T) {
	w := newWorld()
	a, b := w.pools(1), w.pools(1)
	plain := a.draw()
	sum := [keySize]byte{1, 31: 0x80}
	b.mix(&sum)
	for i := range sum {
		sum[i] ^= plain[i]
	}
	want(t, "sum less output", sum, [keySize]byte{1, 31: 0x80})
	if a.draw() == plain {
		t.Error("the second draw is the first")
	}
}

// The process's own pools: everything at once.
func TestConcurrent(t *testing.T) {
	const callers, draws = 8, 500
	own() // while they are made a Mix does without them
	var wg sync.WaitGroup
	var out [callers][draws][keySize]byte
	for c := range callers {
		wg.Go(func() {
			for i := range draws {
				Mix(&out[c][i])
				if i%100 == c {
					Expire()
				}
				if i%250 == c {
					Feed()
				}
				if i%50 == c {
					Status()
				}
			}
		})
	}
	wg.Wait()
	seen := map[[keySize]byte]bool{}
	for c := range out {
		for _, b := range out[c] {
			seen[b] = true
		}
	}
	if len(seen) != callers*draws {
		t.Errorf("%d different outputs in %d draws", len(seen), callers*draws)
	}
	r := Status()
	sum := uint64(0)
	for _, n := range r.Nodes {
		sum += n.Draws
	}
	if sum < callers*draws {
		t.Errorf("Status counts %d draws of %d: %+v", sum, callers*draws, r)
	}
}

func BenchmarkMix(b *testing.B) {
	b.Run("one caller", func(b *testing.B) {
		var dst [keySize]byte
		for b.Loop() {
			Mix(&dst)
		}
	})
	b.Run("every P", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			var dst [keySize]byte
			for pb.Next() {
				Mix(&dst)
			}
		})
	})
}

// reseeds is how many there are in a second of 10^8 nonces of 16 bytes: a state makes 1 MiB and
// half of 64 KiB between two, 1 KiB at a time, each of 62 nonces.
const reseeds = 100_000_000 / ((1<<20 + 1<<15) / 1024 * 62)

// What the pools do in a second of 10^8 nonces: reseeds draws, from one node or from four in turn, and
// what that second's one asking of all sources puts into the input pool and takes out of it.
func BenchmarkSecondOf1e8Nonces(b *testing.B) {
	for _, nodes := range []int{1, 4} {
		w := newWorld()
		w.constant = nil
		p := w.pools(nodes)
		var dst [keySize]byte
		p.mix(&dst)
		b.Run(fmt.Sprintf("draws, %d nodes", nodes), func(b *testing.B) {
			for b.Loop() {
				for i := range reseeds {
					p.nodes[i%nodes].draw(&dst)
				}
			}
			b.ReportMetric(reseeds, "draws/op")
		})
		b.Run(fmt.Sprintf("input pool, %d nodes", nodes), func(b *testing.B) {
			var said [64]byte
			for b.Loop() {
				for range 5 { // sources
					p.input.mix("source", said[:], 0)
				}
				for range 1 + full/least { // extractions, at most
					p.input.extract(&dst, (*[keySize]byte)(said[:]), 0)
				}
			}
		})
	}
}

// What a Mix consists of, and what it costs to bring in something new.
func BenchmarkPart(b *testing.B) {
	w := newWorld()
	p := w.pools(4)
	var dst [keySize]byte
	p.mix(&dst)
	b.Run("node draw", func(b *testing.B) {
		for b.Loop() {
			p.nodes[0].draw(&dst)
		}
	})
	b.Run("node draw, every P on one node", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			var dst [keySize]byte
			for pb.Next() {
				p.nodes[0].draw(&dst)
			}
		})
	})
	b.Run("refresh not due", func(b *testing.B) {
		for b.Loop() {
			own().refresh()
		}
	})
	b.Run("feed", func(b *testing.B) {
		p := own()
		for b.Loop() {
			p.feed(0, 0)
		}
	})
	b.Run("Feed", func(b *testing.B) {
		for b.Loop() {
			Feed()
		}
	})
}

// Nobody waits for who makes the pools: a first use that the system is slow in, or that a
// fork has cut off, stops no draw. Feed does wait, because it promises something.
func TestNoWaitForTheMaker(t *testing.T) {
	was := ownPools.Swap(nil)
	defer ownPools.Store(was)
	making.Lock()
	done := make(chan struct{})
	var dst [32]byte
	go func() {
		defer close(done)
		Mix(&dst)
		Expire()
		if r := Status(); r.TopologyNote != "there are no pools yet: they are being made" {
			t.Errorf("%+v", r)
		}
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second): // of a wait for ever
		t.Error("a Mix waits for who makes the pools")
	}
	if ownPools.Load() != nil || dst != [32]byte{} {
		t.Error("control: the pools were there")
	}
	fed := make(chan struct{})
	go func() { Feed(); close(fed) }()
	making.Unlock()
	<-fed
	if ownPools.Load() == nil {
		t.Error("Feed did not wait for the pools")
	}
	<-done
}
