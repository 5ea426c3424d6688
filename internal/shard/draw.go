// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import "fount/internal/erase"

// A draw of any length comes twice: as a function, from the state of the P it
// runs on, and as a method, from a State its caller owns. Both check the
// generation before and after they copy.

// Read fills b.
func Read(b []byte) {
	if len(b) > Window && large(len(b)) {
		bulk(b, nil)
		return
	}
	read(b)
}

// Read fills b.
func (s *State) Read(b []byte) {
	s.enter()
	if len(b) > Window && large(len(b)) {
		bulk(b, s)
	} else {
		s.read(b)
	}
	s.leave()
}

// read fills b through the buffer of this P.
func read(b []byte) {
	for len(b) > 0 {
		s, t := acquire()
		gen := generation()
		n := s.take(b, gen)
		release(t)
		if n == 0 {
			n, gen = next(b)
		}
		b = accept(b, n, gen)
	}
}

// readNext is read for a buffer that was just seen to hold too little.
func readNext(b []byte) {
	n, gen := next(b)
	read(accept(b, n, gen))
}

// read is the function read on a state that its caller owns.
func (s *State) read(b []byte) {
	for len(b) > 0 {
		gen := generation()
		n := s.take(b, gen)
		if n == 0 {
			n, gen = s.next(b)
		}
		b = accept(b, n, gen)
	}
}

func (s *State) readNext(b []byte) {
	n, gen := s.next(b)
	s.read(accept(b, n, gen))
}

// accept is the check after a copy of n bytes into b: it returns what of b is
// still to be filled, which is all of it, wiped, if the generation moved.
func accept(b []byte, n int, gen uint64) []byte {
	if generation() == gen {
		return b[n:]
	}
	erase.Wipe(b[:n])
	redone.Add(1)
	return b
}
