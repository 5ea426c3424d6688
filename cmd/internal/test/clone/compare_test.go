// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// The comparison of two clones, stream by stream.

import (
	"testing"

	"fount/cmd/internal/test/internal/wire"
)

// A draw is one value that a clone drew after the snapshot.
type draw struct {
	worker int
	kind   kind
	value  string
}

// The kinds of draws, by the words loaded before and after them.
type kind int

const (
	underWay kind = iota // begun before the snapshot, not done
	oldWord              // the snapshot's word on both sides
	across               // the word moved in between
	newWord              // the same, greater word on both sides
	kinds
)

// draws returns what a clone drew from a stream after the snapshot.
func (s *snapshot) draws(t *testing.T, c *twin, stream int) (all []draw) {
	for k, mark := range s.marks {
		first := min(mark.Done[0], mark.Done[wire.Streams-1])
		for i, d := range s.list(t, k, &c.Worker[k][stream], wire.Sizes[stream]) {
			switch n := first + uint64(i); {
			case n < mark.Done[stream]:
				continue
			case n < mark.Begun[stream]:
				d.kind = underWay
			}
			all = append(all, d)
		}
	}
	return all
}

// list tells the values of consecutive draws apart.
func (s *snapshot) list(t *testing.T, worker int, r *wire.Records, size int) (all []draw) {
	rest := r.Values
	for _, run := range r.Runs {
		d := draw{worker: worker, kind: across}
		switch {
		case run.Before != run.After:
		case run.Before == s.word():
			d.kind = oldWord
		case run.Before > s.word():
			d.kind = newWord
		default:
			t.Errorf("worker %d: the word fell from %d to %d", worker, s.word(), run.Before)
		}
		if run.After < run.Before {
			t.Errorf("worker %d: the word fell from %d to %d", worker, run.Before, run.After)
		}
		for range run.N {
			d.value = string(rest[:size])
			all = append(all, d)
			rest = rest[size:]
		}
	}
	if len(rest) > 0 {
		t.Errorf("worker %d: %d bytes belong to no draw", worker, len(rest))
	}
	return all
}

// A pair is one stream of two clones, compared.
type pair struct {
	name    string
	drawn   [2][kinds]int // of each clone
	repeats [kinds]int    // draws of the second clone that the first made too
}

func (p *pair) repeated() (n int) {
	for _, r := range p.repeats {
		n += r
	}
	return n
}

// comparePair also tests that neither clone repeats itself.
func comparePair(t *testing.T, name string, a, b []draw) *pair {
	p := &pair{name: name}
	seen := [2]map[string]bool{{}, {}}
	for i, all := range [2][]draw{a, b} {
		for _, d := range all {
			p.drawn[i][d.kind]++
			if seen[i][d.value] {
				t.Errorf("%s: %x was drawn twice in one clone", name, d.value)
			}
			seen[i][d.value] = true
			if i == 1 && seen[0][d.value] {
				p.repeats[d.kind]++
			}
		}
	}
	return p
}

// compare compares all streams of two clones.
func (s *snapshot) compare(t *testing.T, clones [2]*twin) (pairs []*pair) {
	for stream, name := range wire.Names {
		pairs = append(pairs, comparePair(t, name, s.draws(t, clones[0], stream), s.draws(t, clones[1], stream)))
	}
	return pairs
}

// logPairs logs the draws of both clones and those in common, by kind.
func logPairs(t *testing.T, pairs []*pair) {
	for _, p := range pairs {
		t.Logf("%s: drawn %v, repeats %v (under way, old word, across, new word)", p.name, p.drawn, p.repeats)
	}
}
