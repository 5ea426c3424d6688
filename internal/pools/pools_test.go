// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pools

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"fount/internal/numa"
)

// A world is what test pools see instead of the process: a kernel that always says the
// same, and a clock, a word and a source that the test moves.
type world struct {
	sources
	time     int64
	clone    uint64
	settles  bool
	node     int // that callers run on
	credit   int // of the source, for each time it is asked
	asked    int
	says     [8]byte // what the source says; asked is added
	blocking chan struct{}
}

func newWorld() *world {
	w := &world{time: 1}
	w.sources = sources{
		constant: new([keySize]byte),
		word:     func() uint64 { return w.clone },
		settling: func() bool { return w.settles },
		now:      func() int64 { return w.time },
		gather:   w.ask,
	}
	return w
}

func (w *world) ask(sink func(string, []byte, int)) {
	if w.blocking != nil {
		w.blocking <- struct{}{}
		<-w.blocking
	}
	w.asked++
	b := binary.LittleEndian.AppendUint64(w.says[:], uint64(w.asked))
	sink("test", b, w.credit)
}

func (w *world) pools(nodes int) *pools {
	t := &numa.Topology{Source: "synthetic"}
	for i := range nodes {
		t.Nodes = append(t.Nodes, i)
	}
	p := newPools(&w.sources, t)
	p.current = func() int { return w.node }
	return p
}

// tick lets so much time pass that the sources are asked again at the next Mix.
func (w *world) tick() { w.time += seldom }

func (p *pools) draw() (b [keySize]byte) {
	p.mix(&b)
	return b
}

// keys returns the keys of the nodes that have one.
func (p *pools) keys() map[int][keySize]byte {
	keys := map[int][keySize]byte{}
	for k := range p.nodes {
		if p.nodes[k].generation > 0 {
			keys[k] = p.nodes[k].key
		}
	}
	return keys
}

// credits returns the nodes' credits, generations and draws.
func (p *pools) figures() (credit, generation, draws []int) {
	for _, n := range p.status().Nodes {
		credit = append(credit, n.Credit)
		generation = append(generation, int(n.Generation))
		draws = append(draws, int(n.Draws))
	}
	return credit, generation, draws
}

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// dice is a fixed sequence: a failing test fails again.
func dice() *rand.Rand { return rand.New(rand.NewPCG(8, 2026)) }
