// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// Who misuses a Generator never makes another repeat.

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"fount/internal/shard"
)

// copyOf is what *g copies.
func copyOf(g *Generator) *Generator { return &Generator{s: g.s, lease: g.lease} }

// A history is a sequence of what a program does with Generators: n makes one, y makes a copy of the first, and a digit
// closes the Generator or copy of that number. A Close that has read its Generator's fields and goes on later is the
// Close of a copy, so two at once are a copy and two Closes, in any order with what others do.
const operations = "ny012"

// TestGeneratorHistories tries all histories of up to seven steps, the first of which makes a Generator, and looks after each step whether two that are open
// and were made by different calls of NewGenerator have one state.
func TestGeneratorHistories(t *testing.T) {
	histories, open := 0, 0
	for steps := 1; steps <= 6; steps++ {
		eachWord(steps, operations, func(history []byte) {
			histories++
			pair, most := sharing(append([]byte("n"), history...), (*Generator).Close)
			open = max(open, most)
			if pair != "" && !t.Failed() {
				t.Errorf("after n%s: %s", history, pair)
			}
		})
	}
	if histories != 5+25+125+625+3125+15625 || open != 7 {
		t.Errorf("%d histories with up to %d Generators open at once", histories, open)
	}

	// The control: a Close that gives the state back at once, twice if it is called twice.
	found := ""
	eachWord(4, operations, func(history []byte) {
		pair, _ := sharing(append([]byte("n"), history...), closeTwice)
		if pair != "" {
			found = string(history)
		}
	})
	if found == "" {
		t.Error("control: no history was found in which a Close that gives the state back makes two share it")
	}
}

// eachWord calls f with all words of n letters.
func eachWord(n int, letters string, f func([]byte)) {
	word := make([]byte, n)
	var fill func(int)
	fill = func(i int) {
		if i == n {
			f(word)
			return
		}
		for _, c := range []byte(letters) {
			word[i] = c
			fill(i + 1)
		}
	}
	fill(0)
}

// sharing plays a history and returns which two share a state, and how many were open at most. Those that were copied
// or closed were misused; the others did no wrong.
func sharing(history []byte, closeIt func(*Generator)) (pair string, most int) {
	freed = nil
	var all []*Generator
	var owner []int // by which call of NewGenerator
	closed := map[int]bool{}
	made := 0
	for _, c := range history {
		switch c {
		case 'n':
			all, owner = append(all, newFrom()), append(owner, made)
			made++
		case 'y':
			all, owner = append(all, copyOf(all[0])), append(owner, owner[0])
		default:
			if i := int(c - '0'); i < len(all) {
				closeIt(all[i])
				closed[owner[i]] = true
			}
		}
		open := 0
		for i, g := range all {
			if closed[owner[i]] {
				continue
			}
			open++
			for j := range i {
				if owner[i] != owner[j] && !closed[owner[j]] && all[j].s == g.s {
					pair = fmt.Sprintf("Generators %d and %d, both open, have one state", j, i)
				}
			}
		}
		most = max(most, open)
	}
	runtime.KeepAlive(all)
	return pair, most
}

// freed are the leases that closeTwice gave back: the free list of the control.
var freed []*shard.Lease

func closeTwice(g *Generator) { freed = append(freed, g.lease) }

func newFrom() *Generator {
	if n := len(freed); n > 0 {
		lease := freed[n-1]
		freed = freed[:n-1]
		return &Generator{s: lease.State(), lease: lease}
	}
	return NewGenerator()
}

// A Generator and its copies are closed together.
func TestCopyOfClosedGenerator(t *testing.T) {
	for _, closes := range [][]int{{0}, {1}, {0, 1}, {1, 0}, {0, 0, 1, 1}} {
		g := NewGenerator()
		both := []*Generator{g, copyOf(g)}
		g.Nonce()
		for _, i := range closes {
			both[i].Close()
		}
		for i, c := range both {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("closed in the order %v: number %d still draws", closes, i)
					}
				}()
				c.Uint64()
			}()
		}
	}
}

// The same by goroutines: each Generator is closed by two at once while others make and use theirs. It is for the race
// detector too.
func TestGeneratorClosedByTwo(t *testing.T) {
	const rounds, users, draws = 200, 4, 20
	var mu sync.Mutex
	seen := make(map[uint64]bool, rounds*users*draws)
	for range rounds {
		misused := NewGenerator()
		misused.Uint64()
		gate := make(chan struct{})
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				<-gate
				misused.Close()
			})
		}
		for range users {
			wg.Go(func() {
				<-gate
				g := NewGenerator()
				defer g.Close()
				var mine []uint64
				for range draws {
					mine = append(mine, g.Uint64(), Uint64())
				}
				mu.Lock()
				defer mu.Unlock()
				for _, v := range mine {
					if seen[v] || v == 0 {
						t.Errorf("%#x came twice, or is zero", v)
					}
					seen[v] = true
				}
			})
		}
		close(gate)
		wg.Wait()
		if slices.Contains([]int{50, 150}, len(seen)/(2*users*draws)) {
			runtime.GC() // closed Generators' states are used again
		}
	}
	if want := rounds * users * draws * 2; len(seen) != want {
		t.Errorf("%d different values, want %d", len(seen), want)
	}
}
