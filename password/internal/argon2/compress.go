// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package argon2

// compress is G (RFC 9106, section 3.5): out = P(x ^ y) ^ x ^ y, where P runs
// over the block's rows and then over its columns; with xor, that is added to
// out, as from the second pass on. out may be x or y. z is memory to work in,
// none of the three; what it holds afterwards is as secret as the block. Then out's
// first word picks a block of next, unless that is nil: its index is left there, and
// the assembly has the processor load it.
func compress(out, x, y *Block, xor bool, z *Block, next *window) {
	compressAt(inUse, out, x, y, xor, z, next)
}

// follow is that last step.
func (w *window) follow(out *Block) {
	if w != nil {
		w.ref = w.pick(out[0])
	}
}

// inUse is what compress runs, an index into ladder.
var inUse = fastest()

// wipe clears z. It is kept out of line so that the compiler can't see that
// nobody reads z afterwards and drop the writes.
//
//go:noinline
func wipe(z *Block) { *z = Block{} }
