// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pool

import (
	"encoding/binary"
	"sync"

	"fount/internal/erase"
)

// input is the pool into which everything is hashed. It starts all zero, and a fork
// leaves it so in the child: each extraction mixes in bytes of the kernel's own, so its
// output is never weaker than these.
type input struct {
	mu          sync.Mutex
	mixed       uint64 // inputs so far
	extractions uint64
	state       [hashSize]byte
	work        [256]byte
}

// mix hashes b in, and its name, so that two sources that give the same bytes are
// told apart. Both lengths go before, so nothing else hashes to the same message.
func (p *input) mix(name string, b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var lengths [16]byte
	binary.LittleEndian.PutUint64(lengths[:], uint64(len(name)))
	binary.LittleEndian.PutUint64(lengths[8:], uint64(len(b)))
	p.absorb(lengths[:])
	absorbAll(p, name)
	absorbAll(p, b)
	p.mixed++
}

// piece is how many bytes are hashed in at a time: as many as fit into work.
const piece = 128

func absorbAll[T string | []byte](p *input, b T) {
	var buf [piece]byte
	for len(b) > 0 {
		n := copy(buf[:], b)
		p.absorb(buf[:n])
		b = b[n:]
	}
	erase.Wipe(buf[:])
}

// absorb makes the state the hash of itself and b.
func (p *input) absorb(b []byte) {
	m := append(append(begin(p.work[:], 0), p.state[:]...), b...)
	m.sum(p.state[:])
	erase.Wipe(m)
}

// extract fills out. fresh is 32 bytes of the kernel's, drawn before the lock is taken. The pool gets its next
// state before there is any output. Output and state are different hashes of the same
// secret, so neither reveals anything of the other or of the past.
func (p *input) extract(out, fresh *[keySize]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := append(append(append(begin(p.work[:], 1), p.state[:]...), fresh[:]...), inputLabel...)
	m.sum(p.state[:])
	m.again(2)
	m.sum(out[:])
	erase.Wipe(m)
	p.extractions++
}
