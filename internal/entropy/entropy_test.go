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

// generations returns how often each node was fed.
func (p *pools) generations() (list []uint64) {
	for i := range p.nodes {
		list = append(list, p.nodes[i].generation)
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

// Mix adds and does not overwrite, and gives what it gave to nobody else.
func TestMixAdds(t *testing.T) {
	a, b := somePools(1), somePools(1)
	var plain, again [keySize]byte
	a.mix(&plain, 1)
	copy(b.nodes[0].key[:], a.nodes[0].key[:])
	copy(again[:], plain[:])
	a.mix(&again, 1)
	b.generation.Store(1)
	b.next.Store(a.next.Load())
	b.nodes[0].generation = 1
	sum := plain
	b.mix(&sum, 1) // as a's second
	if again == plain || sum != again || again == [keySize]byte{} {
		t.Errorf("outputs %x, %x, %x", plain, again, sum)
	}
}

// Every node is fed at first, after a minute, and when the generation has moved; else not.
func TestFed(t *testing.T) {
	p := somePools(3)
	var b [keySize]byte
	step := func(what string, generation uint64, fed uint64) {
		t.Helper()
		p.mix(&b, generation)
		want(t, what, p.generations(), []uint64{fed, fed, fed})
	}
	step("at first", 1, 1)
	step("again", 1, 1)
	step("the machine was cloned", 2, 2)
	step("and then", 2, 2)
	p.next.Store(now())
	step("a minute has passed", 2, 3)
	if left := time.Duration(p.next.Load() - now()); left < 50*time.Second || left > time.Minute {
		t.Errorf("the nodes are fed again in %v", left)
	}
	step("and then", 2, 3)
}

// While one goroutine feeds the nodes the others draw, and what has no key yet gets one.
func TestDrawWhileFed(t *testing.T) {
	p := somePools(2)
	p.feeding.Lock()
	defer p.feeding.Unlock()
	var a, b [keySize]byte
	p.mix(&a, 1)
	p.mix(&b, 1)
	want(t, "generations", p.generations()[p.topology.Current()], 1)
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
