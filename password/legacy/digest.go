// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package legacy

// Digests that leave nothing of the password in memory, and yield to other goroutines.

import (
	"encoding"
	"hash"

	"fount/password/internal/mac"
)

// A wipedDigest is a digest of the standard library that can be wiped.
type wipedDigest struct {
	hash.Hash
	blank []byte // its initial state
}

// newDigest returns a digest. The caller must wipe it.
func newDigest(newHash func() hash.Hash) *wipedDigest {
	mac.ScrubStack() // grows the stack now, while it has no secrets
	d := &wipedDigest{Hash: newHash()}
	d.blank, _ = d.Hash.(encoding.BinaryMarshaler).MarshalBinary()
	return d
}

// sum returns the digest of the parts, in the memory of sum if it fits.
func (d *wipedDigest) sum(sum []byte, parts ...[]byte) []byte {
	d.Reset()
	for _, part := range parts {
		d.Write(part)
	}
	return d.Sum(sum[:0])
}

func (d *wipedDigest) wipe() {
	d.Hash.(encoding.BinaryUnmarshaler).UnmarshalBinary(d.blank)
	mac.ScrubStack()
}

// A pacer calls yield after the first digest, and then after each 16 KiB or so of digested bytes,
// 10 to 60 µs.
type pacer struct {
	yield func() bool
	left  int
}

const stride = 16 << 10

// did counts a digest of n bytes, and reports whether to go on.
func (p *pacer) did(n int) bool {
	p.left -= n + 64
	if p.left > 0 {
		return true
	}
	p.left = stride
	return p.yield()
}
