// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"fount/internal/erase"
	"fount/password/internal/argon2"
)

// A scratch is memory that one argon2 or scrypt leaves to the next, outside of the
// heap where the system allows it. Scrypt leaves zeros. What argon2 leaves is wiped
// before the memory goes to anything but an argon2 that overwrites it. A scratch
// belongs to one goroutine, which drops it in the end. What a hash does not use of it stays
// held until then, and never is there memory for both algorithms.
type scratch struct {
	blocks []argon2.Block
	dirty  int // so many of them, from the first, may hold what a hash left
	words  []uint32
	plain  []byte // a Format's
	unmap  func()
}

// forArgon2 returns n blocks of 1 KiB, all of which the caller is going to write.
func (s *scratch) forArgon2(n int) []argon2.Block {
	if len(s.blocks) < n {
		s.drop() // before there is more
		s.blocks, s.unmap = erase.Map[argon2.Block](n)
	}
	s.dirty = max(s.dirty, n)
	return s.blocks[:n]
}

// forScrypt returns n words.
func (s *scratch) forScrypt(n int) []uint32 {
	if len(s.words) < n {
		s.drop()
		s.words, s.unmap = erase.Map[uint32](n)
	}
	return s.words[:n]
}

// forFormat returns n zeros. The caller leaves zeros.
func (s *scratch) forFormat(n int) []byte {
	if len(s.plain) < n {
		s.drop()
		s.plain, s.unmap = erase.Map[byte](n)
	}
	return s.plain[:n]
}

// bytes returns how much is held.
func (s *scratch) bytes() int64 {
	return int64(len(s.blocks))<<10 + int64(len(s.words))<<2 + int64(len(s.plain))
}

// wipePiece wipes 256 KiB, and reports whether there was anything to wipe.
func (s *scratch) wipePiece() bool {
	if s.dirty == 0 {
		return false
	}
	rest := max(0, s.dirty-256)
	clear(s.blocks[rest:s.dirty])
	s.dirty = rest
	return true
}

// drop wipes the memory and gives it back to the system.
func (s *scratch) drop() {
	erase.Large(s.blocks[:s.dirty])
	if s.unmap != nil {
		s.unmap()
	}
	*s = scratch{}
}
