// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"fount/internal/chacha"
	"fount/internal/clone"
	"fount/internal/kernel"
)

// # How two clones of a machine are made of one process
//
// Two clones have one memory, and until the generation changes the kernel answers both alike. From
// then on it does not. So a Replay makes one draw from one state, with a kernel that gives zeros
// until the generation has changed, and its own bytes afterwards. Two runs of a Replay are two
// clones. The pools are left out of seeds, because clones have the same.
//
// A draw can notice a change only where it loads the generation. So changing it before each load,
// one after the other, tries all moments. Bytes that two runs have in common were made before the
// change and served after it: a clone would repeat them.

// onLoad, if not nil, runs before each load of the generation. It must not block or allocate, as a
// P may be pinned.
var onLoad func()

func loading() {
	if onLoad != nil {
		onLoad()
	}
}

// kernelAlone makes seeds of the kernel's bytes alone. The time and the processor's numbers would
// hide that two clones have the rest in common.
var kernelAlone bool

// A Start is what a state holds when a draw begins.
type Start struct {
	Left    int  // bytes not yet served, 0 to Full
	SeedDue bool // before the next refill
	Stale   bool // keyed under the generation before
	Wiped   bool // all zero: never used, or a forked child's
}

func (from Start) String() string {
	s := fmt.Sprintf("%d bytes left", from.Left)
	switch {
	case from.Wiped:
		return "wiped"
	case from.Stale:
		s += ", stale"
	case from.SeedDue:
		s += ", a seed due"
	}
	return s
}

// put makes s hold the same key and bytes each time.
func (from Start) put(s *State) {
	clear(s.block[:])
	s.left = 0
	s.generation = 0
	s.expires = 0
	s.budget = 0
	if from.Wiped {
		return
	}

	copy(s.block[:keySize+from.Left], sameBlock[:])
	s.left = uint64(from.Left)
	s.generation = epoch.Load() + clone.Load()
	s.expires = math.MaxInt64
	s.budget = maxBytes
	if from.SeedDue {
		s.budget = 0
	}
	if from.Stale {
		s.generation--
	}
}

// sameBlock is the key and the keystream of every Start.
var sameBlock = func() (block [fullRefill]byte) {
	chacha.Keystream(block[:], new([keySize]byte), 0)
	return block
}()

// A Replay is a draw that can be made again.
type Replay struct {
	From   Start
	Draw   func() []byte
	Change func() // changes the generation; it must not allocate
}

// Run draws, with the generation changed before the loads of these numbers, from 0 on and in
// ascending order. It returns how many loads there were, and how many bytes were served after the
// last: nobody would notice a change from then on.
func (r *Replay) Run(changes ...int) (out []byte, loads, unseen int) {
	s, t := adopt()
	release(t)
	r.From.put(s)

	heldAtLoad := s.left // the last
	kernelAlone = true
	kernel.SetRoute(kernel.RouteZero)
	onLoad = func() {
		isDue := len(changes) > 0 && loads == changes[0]
		if isDue {
			r.Change()
			changes = changes[1:]
		}

		isLast := isDue && len(changes) == 0
		if isLast {
			kernel.SetRoute(kernel.RouteKernel)
		}

		loads++
		heldAtLoad = s.held()
	}

	out = r.Draw()
	onLoad = nil
	kernelAlone = false
	kernel.SetRoute(kernel.RouteKernel)
	unseen = int(heldAtLoad) - int(s.left)
	return out, loads, unseen
}

// held returns how many bytes s has: those that are left, and those that a draw has taken and not
// cleared, as it may not have copied them yet.
func (s *State) held() uint64 {
	n := s.left
	for _, b := range s.block[keySize+n:] {
		if b != 0 {
			n++
		}
	}
	return n
}

// RunUntil draws with the generation changed before each of the first limit-1 loads. It returns the
// number of loads.
func (r *Replay) RunUntil(limit int) (loads int) {
	onLoad = func() {
		loads++
		if loads < limit {
			r.Change()
		}
	}

	r.Draw()
	onLoad = nil
	return loads
}

// Shared draws in several clones and says what they have in common, "" if nothing. inTime reports
// whether the last change came before the draw returned. Clones have something in common by chance
// in 2^-64 of all cases.
func (r *Replay) Shared(changes ...int) (what string, inTime bool) {
	first, loads, unseen := r.Run(changes...)
	inTime = changes[len(changes)-1] < loads
	switch {
	case unseen != 0:
		return fmt.Sprintf("%d bytes were served or cleared after the generation was compared", unseen), inTime
	case !inTime:
		return "", false
	}

	clones, width := 2, 8 // how many clones have how many bytes in a row in common
	switch {
	case len(first) <= 8:
		clones, width = 9, 1
	case len(first) < 100:
		clones, width = 3, 4
	}

	same := make([]bool, len(first)) // in all clones
	for i := range same {
		same[i] = true
	}
	for range clones - 1 {
		other, _, _ := r.Run(changes...)
		for i := range same {
			same[i] = same[i] && first[i] == other[i]
		}
		if at := elsewhere(first, other); at >= 0 {
			return fmt.Sprintf("the 8 bytes at %d of %d are in both", at, len(first)), true
		}
	}

	if n, at := longest(same, width); n > 0 {
		return fmt.Sprintf("%d of %d bytes are in all, from %d on", n, len(first), at), true
	}
	return "", true
}

// longest returns how many bytes lie in runs of at least width that are the same, and where the
// first begins. Whole chunks at the beginning of a longer output are left out: a read keeps those
// that it has finished.
func longest(same []bool, width int) (n, at int) {
	at = -1
	i := 0
	for len(same)-i > chunk && !slices.Contains(same[i:i+chunk], false) {
		i += chunk
	}

	for ; i < len(same); i++ {
		end := i
		for end < len(same) && same[end] {
			end++
		}
		if end-i >= width {
			n += end - i
			if at < 0 {
				at = i
			}
		}
		i = end
	}
	return n, at
}

// elsewhere returns a place in a whose 8 bytes b has at another place, of those that are multiples
// of 8, or -1. It does not look through outputs of many pages.
func elsewhere(a, b []byte) int {
	if len(a) < 16 || len(a) > 4096 {
		return -1
	}

	windows := make(map[uint64]int, len(b)/8)
	for i := 0; i+8 <= len(b); i += 8 {
		windows[binary.LittleEndian.Uint64(b[i:])] = i
	}
	for i := range len(a) - 7 {
		if at, ok := windows[binary.LittleEndian.Uint64(a[i:])]; ok && at != i {
			return i
		}
	}
	return -1
}
