// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"fount/internal/numa"
)

// somePools returns pools that are not the process's.
func somePools(nodes int) *pools {
	t := new(numa.Topology)
	for i := range nodes {
		t.Nodes = append(t.Nodes, i)
	}
	return newPools(t)
}

// feeds returns how often each node was fed.
func (p *pools) feeds() (list []uint64) {
	for i := range p.nodes {
		list = append(list, p.nodes[i].feeds)
	}
	return list
}

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// dice is a fixed sequence: a failing test fails again.
func dice() *rand.Rand { return rand.New(rand.NewPCG(8, 2026)) }

// Mix adds to what is there: two equal pools give the same bytes, one to zeros and one to others.
func TestMixAdds(t *testing.T) {
	random := dice()
	var zeros, some [keySize]byte
	for i := range some {
		some[i] = byte(random.Uint32())
	}
	before := some

	for _, dst := range []*[keySize]byte{&zeros, &some} {
		p := somePools(1)
		p.feed(0, new([keySize]byte))
		p.next.Store(now() + feedInterval)
		p.mix(dst, 0)
	}
	if zeros == [keySize]byte{} {
		t.Fatal("nothing was added to zeros")
	}
	for i := range some {
		if some[i] != before[i]^zeros[i] {
			t.Fatalf("%x became %x, and zeros became %x", before, some, zeros)
		}
	}
}

// A Mix gives no bytes twice.
func TestMixGivesOtherBytesEachTime(t *testing.T) {
	p := somePools(1)
	seen := map[[keySize]byte]bool{}
	for range 100 {
		var dst [keySize]byte
		p.mix(&dst, 1)
		seen[dst] = true
	}
	want(t, "different outputs", len(seen), 100)
}

// Every node is fed at first, after a minute, and when the generation has changed.
func TestFed(t *testing.T) {
	p := somePools(3)
	mix := func(what string, generation uint64, times uint64) {
		t.Helper()
		p.mix(new([keySize]byte), generation)
		want(t, what, p.feeds(), []uint64{times, times, times})
	}

	mix("at first", 1, 1)
	mix("again", 1, 1)
	mix("after a clone", 2, 2)
	mix("again", 2, 2)
	p.next.Store(now())
	mix("after a minute", 2, 3)
	if left := time.Duration(p.next.Load() - now()); left < 50*time.Second || left > time.Minute {
		t.Errorf("the nodes are fed again in %v, want a minute", left)
	}
	mix("again", 2, 3)
}

// While one goroutine feeds the nodes the others draw, and what has no key yet gets one.
func TestDrawWhileFed(t *testing.T) {
	p := somePools(2)
	p.feeding.Lock()
	defer p.feeding.Unlock()
	var a, b [keySize]byte
	p.mix(&a, 1)
	p.mix(&b, 1)
	want(t, "feeds", p.feeds()[p.topology.Current()], 1)
	if a == b || a == [keySize]byte{} {
		t.Errorf("%x and %x", a, b)
	}
}

// What Add was given, and nothing else, changes what nodes are fed; a name is no part of the bytes.
func TestAddReachesTheNodes(t *testing.T) {
	seen := map[[keySize]byte]int{}
	for i, add := range [][2]string{{}, {"a", "b"}, {"a", "c"}, {"b", "b"}, {"", "ab"}, {"ab", ""}} {
		p := somePools(2)
		if i > 0 {
			p.input.mix(add[0], []byte(add[1]))
		}
		p.feed(1, new([keySize]byte))
		if j, ok := seen[p.nodes[1].key]; ok {
			t.Errorf("%q and the addition number %d give the same", add, j)
		}
		seen[p.nodes[1].key] = i
	}

	before := Status().Mixed // the process's own
	Add("test", []byte("bytes"))
	Mix(new([keySize]byte), get().generation.Load()+1)
	if r := Status(); r.Mixed != before+1 || len(r.Nodes) == 0 || r.Nodes[0].Generation == 0 {
		t.Errorf("after %d, %+v", before, r)
	}
}

// The process's own pools: everything at once.
func TestConcurrent(t *testing.T) {
	const callers, draws = 8, 500
	get() // while they are made a Mix does without them

	var wg sync.WaitGroup
	var out [callers][draws][keySize]byte
	for c := range callers {
		wg.Go(func() {
			for i := range draws {
				Mix(&out[c][i], uint64(i/100))
				if i%250 == c {
					Add("test", out[c][i][:])
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

// No draw waits for who makes the pools, in which a fork may have cut it off.
func TestNoWaitForTheMaker(t *testing.T) {
	was := processPools.Swap(nil)
	defer processPools.Store(was)
	creating.Lock()
	defer creating.Unlock()
	done := make(chan [32]byte)
	go func() {
		var dst [32]byte
		Mix(&dst, 1)
		done <- dst
	}()
	select {
	case dst := <-done:
		if dst != [32]byte{} {
			t.Errorf("control: the pools were there: %x", dst)
		}
	case <-time.After(20 * time.Second): // of a wait for ever
		t.Error("a Mix waits for who makes the pools")
	}
}
