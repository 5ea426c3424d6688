// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// Digests that leave nothing of the password, and how they share the processor.

import (
	"encoding"
	"hash"

	"fount/password/internal/mac"
)

// A wiped is a hash of the standard library that can be wiped.
type wiped struct {
	hash.Hash
	blank []byte // its state without anything
}

// newDigest returns one, which its caller wipes. None of them fails.
func newDigest(newHash func() hash.Hash) *wiped {
	mac.ScrubStack() // the stack grows now, while nothing is on it
	d := &wiped{Hash: newHash()}
	d.blank, _ = d.Hash.(encoding.BinaryMarshaler).MarshalBinary()
	return d
}

// of sets sum to the digest of the parts, and returns it.
func (d *wiped) of(sum []byte, parts ...[]byte) []byte {
	d.Reset()
	for _, part := range parts {
		d.Write(part)
	}
	return d.Sum(sum[:0])
}

func (d *wiped) wipe() {
	d.Hash.(encoding.BinaryUnmarshaler).UnmarshalBinary(d.blank)
	mac.ScrubStack()
}

// A pace calls yield after each 16 KiB or so that were digested, 10 to 60 µs, and counts each
// digest for a block more.
type pace struct {
	yield func() bool
	left  int
}

const stride = 16 << 10

// did reports whether to go on after n more bytes.
func (p *pace) did(n int) bool {
	p.left -= n + 64
	if p.left > 0 {
		return true
	}
	p.left = stride
	return p.yield()
}
