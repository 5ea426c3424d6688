// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package argon2

// A segment is one lane's part of a slice. Its blocks are filled in order.
type segment struct {
	f                 *filler
	pass, slice, lane uint32
	independent       bool // what a block refers to depends on no password
	xor               bool // what a block held is mixed in

	ref     uint32 // the block that the next one refers to
	window  window // in a hash of one lane, where it was taken from
	address Block  // the numbers that choose, if independent
	counter Block
	z       Block // for compress
}

// start makes s the segment, chooses the first reference and fetches it.
func (s *segment) start(f *filler, pass, slice, lane uint32) {
	*s = segment{f: f, pass: pass, slice: slice, lane: lane, xor: pass > 0 && !f.Old}
	first := s.first()
	if s.independent = f.Mode == I || f.Mode == ID && pass == 0 && slice < slices/2; s.independent {
		s.counter = Block{uint64(pass), uint64(lane), uint64(slice), uint64(len(f.b)), uint64(f.Passes), uint64(f.Mode)}
		s.makeAddresses()
		s.refer(s.address[first], first)
		return
	}
	s.refer(s.previous(first)[0], first)
	s.window = s.reach(first, true)
}

// first returns the index of the first block to fill: a lane's first segment starts with two.
func (s *segment) first() uint32 {
	if s.pass == 0 && s.slice == 0 {
		return 2
	}
	return 0
}

func (s *segment) makeAddresses() {
	var zero Block
	s.counter[6]++
	compress(&s.address, &zero, &s.counter, false, &s.z, nil)
	compress(&s.address, &zero, &s.address, false, &s.z, nil)
}

// fill fills block i of the segment, and chooses and fetches what the next one refers to.
func (s *segment) fill(i uint32) {
	f := s.f
	out := &f.b[s.lane*f.lane+s.slice*f.segment+i]
	prev, ref := s.previous(i), &f.b[s.ref]
	next := i + 1
	if s.independent && next < f.segment {
		if next%words == 0 {
			s.makeAddresses()
		}
		s.refer(s.address[next%words], next)
	}
	var w *window
	if !s.independent && f.Lanes == 1 {
		w = &s.window
		w.n++
		w.last++
	}
	compress(out, prev, ref, s.xor, &s.z, w)
	if w != nil {
		s.ref = uint32(w.ref)
	} else if !s.independent && next < f.segment {
		s.refer(out[0], next)
	}
}

// previous returns the block before block i of the segment.
func (s *segment) previous(i uint32) *Block {
	f := s.f
	at := s.slice*f.segment + i
	if at == 0 {
		at = f.lane
	}
	return &f.b[s.lane*f.lane+at-1]
}

// refer chooses what block i refers to (section 3.4.1.2 and 3.4.2).
func (s *segment) refer(random uint64, i uint32) {
	f := s.f
	l := s.lane
	if f.Lanes > 1 && (s.pass > 0 || s.slice > 0) {
		l = uint32(random>>32) % f.Lanes
	}
	w := s.reach(i, l == s.lane)
	s.ref = l*f.lane + uint32(w.pick(random))
	fetchBlock(&f.b[s.ref])
}

// reach returns which blocks of its own lane, or of another, block i may refer to: those that are
// complete, but not the one before it.
func (s *segment) reach(i uint32, own bool) window {
	f := s.f
	n, first := s.slice*f.segment, uint32(0)
	if s.pass > 0 {
		n, first = f.lane-f.segment, (s.slice+1)%slices*f.segment
	}
	if own {
		n += i - 1
	} else if i == 0 {
		n-- // the other lanes' last block is still the newest here
	}
	return window{lane: &f.b[0], n: uint64(n), last: uint64(first + n - 1), size: uint64(f.lane)}
}

// A window is a part of a lane, which may go on at the lane's beginning. The assembly knows its
// layout.
type window struct {
	lane *Block // the lane's first
	n    uint64 // blocks in the window
	last uint64 // the last one's index, or that plus size
	size uint64 // blocks in the lane
	ref  uint64 // set by compress: what out's first word picks
}

// pick returns the index in the lane of the block that random chooses, the later ones more often.
func (w *window) pick(random uint64) uint64 {
	x := random & 0xffffffff
	x = x * x >> 32
	at := w.last - w.n*x>>32
	if at >= w.size {
		at -= w.size
	}
	return at
}
