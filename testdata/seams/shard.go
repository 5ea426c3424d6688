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

// onLook, if not nil, runs before each load of the counter: only there can a draw see that it has
// changed. It must not block or allocate, as a P may be pinned.
var onLook func()

func look() {
	if onLook != nil {
		onLook()
	}
}

// kernelAlone makes seeds of the kernel's bytes alone. Time and processor would hide that two
// clones have the rest in common, and clones have the same pools.
var kernelAlone bool

// # The search for a moment at which clones repeat
//
// Two clones of a machine have one memory, and until the counter moves the kernel
// answers both alike. From then on it does not. A Replay makes one draw from one
// memory, with a kernel that says zeros until the counter has changed before a chosen
// look, and its own bytes afterwards; so two Replays are two clones, cloned at the
// worst moment that this look can see. The pools are left out: clones have the same.
//
// A draw looks at the generation only where it loads it, so a program can try
// every moment. What two Replays have in common was made before the counter changed
// and was served after it.

// A Memory is what a state holds when a draw begins.
type Memory struct {
	Left  int  // bytes that are not served yet, 0 to Full
	Due   bool // its next refill takes a seed
	Stale bool // it was keyed before the counter changed the last time
	Wiped bool // all zero: never used, or a forked child's
	Key   byte // which bytes: others for each
}

func (m Memory) String() string {
	s := fmt.Sprintf("%d bytes left", m.Left)
	switch {
	case m.Wiped:
		return "wiped"
	case m.Stale:
		s += ", stale"
	case m.Due:
		s += ", a seed due"
	}
	return s
}

// put makes s hold m, with the same key and bytes each time.
func (m Memory) put(s *State) {
	s.left, s.generation, s.expires, s.budget = 0, 0, 0, 0
	clear(s.block[:])
	if m.Wiped {
		return
	}
	if templates[m.Key] == nil {
		templates[m.Key] = new([fullRefill]byte)
		chacha.Keystream(templates[m.Key][:], &[keySize]byte{m.Key}, 0)
	}
	copy(s.block[:keySize+m.Left], templates[m.Key][:])
	s.left = uint64(m.Left)
	s.generation = epoch.Load() + clone.Load()
	s.expires, s.budget = math.MaxInt64, maxBytes
	if m.Due {
		s.budget = 0
	}
	if m.Stale {
		s.generation--
	}
}

// templates are what buffers hold, by Key.
var templates [256]*[fullRefill]byte

// A Replay is one draw, made as often as one likes.
type Replay struct {
	Memory Memory
	Draw   func() []byte
	Move   func() // the counter; it must not allocate
}

// Run draws with the counter changed before each of the looks, numbered from 0, in
// ascending order. It returns how many looks there were, and how many bytes were
// served after the last: a move after that nobody sees.
func (r *Replay) Run(moves ...int) (out []byte, looks, unseen int) {
	s, t := adopt()
	release(t)
	r.Memory.put(s)
	next, left := 0, s.left
	kernelAlone = true
	kernel.SetRoute(kernel.RouteZero)
	onLook = func() {
		if next < len(moves) && looks == moves[next] {
			r.Move()
			if next++; next == len(moves) {
				kernel.SetRoute(kernel.RouteKernel)
			}
		}
		looks++
		left = s.left
	}
	out = r.Draw()
	onLook = nil
	kernelAlone = false
	kernel.SetRoute(kernel.RouteKernel)
	return out, looks, int(left) - int(s.left)
}

// Storm draws with Move called before each of the looks, as long as there are fewer than
// most, and returns their number. The kernel and the memory are what they are.
func (r *Replay) Storm(most int) (looks int) {
	onLook = func() {
		if looks++; looks < most {
			r.Move()
		}
	}
	r.Draw()
	onLook = nil
	return looks
}

// Shared draws in several clones and says what they have in common: "" if nothing,
// and whether the counter changed before the draw returned. What is called common is so
// by chance in 2^-64 of all cases.
func (r *Replay) Shared(moves ...int) (what string, moved bool) {
	first, looks, unseen := r.Run(moves...)
	moved = moves[len(moves)-1] < looks
	switch {
	case unseen != 0:
		return fmt.Sprintf("%d bytes were served after the last look", unseen), moved
	case !moved:
		return "", false
	}
	clones, width := 2, 8 // how many clones have how many bytes in a row in common
	switch {
	case len(first) <= 8:
		clones, width = 9, 1
	case len(first) < 100:
		clones, width = 3, 4
	}
	same := make([]bool, len(first))
	for i := range same {
		same[i] = true
	}
	for range clones - 1 {
		other, _, _ := r.Run(moves...)
		for i := range same {
			same[i] = same[i] && first[i] == other[i]
		}
		if at := elsewhere(first, other); at >= 0 {
			return fmt.Sprintf("the 8 bytes at %d of %d are in both", at, len(first)), true
		}
	}
	if n, at := longest(same, width); n > 0 {
		return fmt.Sprintf("%d of %d bytes in common, from %d on", n, len(first), at), true
	}
	return "", true
}

// longest returns how many bytes lie in runs of at least width that are the same, and
// where the first begins. Whole chunks at the beginning of a longer output are left
// out: a read keeps those that it has finished.
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

// elsewhere returns a place in a whose 8 bytes b has at another, among the places
// that are multiples of 8 there, and -1 if there is none. Outputs of many pages are
// not looked through.
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
