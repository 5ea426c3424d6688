// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"testing"
	"testing/synctest"
	"time"

	"fount/password/internal/argon2"
)

// use has s hold what an argon2 left in n blocks.
func (s *scratch) use(n int) {
	for i := range s.forArgon2(n) {
		s.blocks[i][i%len(argon2.Block{})] = 1
	}
}

// left returns how many of the blocks are not zero.
func left(blocks []argon2.Block) (n int) {
	for i := range blocks {
		if blocks[i] != (argon2.Block{}) {
			n++
		}
	}
	return n
}

// Nothing is left in a scratch when it is given back, also of a large hash before a small one, and before
// a hash of the other algorithm.
func TestScratchIsWiped(t *testing.T) {
	for name, end := range map[string]func(*scratch){
		"drop":       (*scratch).drop,
		"for scrypt": func(s *scratch) { s.forScrypt(1); s.drop() },
		"for more":   func(s *scratch) { s.forArgon2(2000); s.drop() },
	} {
		t.Run(name, func(t *testing.T) {
			var s scratch
			s.use(1000)
			s.use(10)
			blocks, unmap, given := s.blocks, s.unmap, false
			if left(blocks) == 0 {
				t.Fatal("control: nothing was left by the hash")
			}
			s.unmap = func() {
				given = true
				if n := left(blocks); n > 0 {
					t.Errorf("%d blocks were given back as they were", n)
				}
				unmap()
			}
			if end(&s); !given {
				t.Error("not given back")
			}
		})
	}
}

// What argon2 left is there for a hash that comes at once, and else wiped after wipeAfter, whatever else
// comes and goes; a hash that comes during the wipe gets the rest.
func TestStoreWipes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 1000 << 10
		s := &store{limit: 10 * size}
		a, b := s.take(size), s.take(size)
		a.use(1000)
		b.use(1000)
		s.give(a)
		s.give(b)
		for range 3 { // b comes and goes; a lies idle
			time.Sleep(wipeAfter / 4)
			if b != s.take(size) {
				t.Fatal("not the scratch that was used last")
			}
			if left(b.blocks) == 0 {
				t.Error("wiped before the next hash")
			}
			s.give(b)
		}
		time.Sleep(wipeAfter / 4)
		synctest.Wait()
		if n := left(a.blocks) + left(b.blocks); n > 0 {
			t.Errorf("%d blocks not wiped after %v", n, wipeAfter)
		}
		s.take(size).use(1000)
		s.give(b)
		s.wipePiece()
		if c := s.take(size); c != b || c.dirty == 0 || c.dirty == 1000 || left(c.blocks[c.dirty:]) > 0 {
			t.Errorf("%d of 1000 blocks to be wiped after one piece", b.dirty)
		}
		time.Sleep(2 * wipeAfter)
		synctest.Wait()
		if left(b.blocks) == 0 {
			t.Error("wiped while in use")
		}
		s.give(b)
		time.Sleep(wipeAfter)
		synctest.Wait()
		if n := left(b.blocks); n > 0 {
			t.Errorf("%d blocks not wiped after the second use", n)
		}
		s.clear()
	})
}

// Memory that no hash has asked for goes after idleMemory, also where others keep coming; theirs stays.
func TestStoreDropsWhatIsIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &store{limit: 1 << 20}
		once, often := s.take(64<<10), s.take(16<<10)
		once.use(64)
		often.use(16)
		s.give(once)
		s.give(often)
		for after := idleMemory / 2; after < 4*idleMemory; after += idleMemory / 2 {
			time.Sleep(idleMemory / 2)
			synctest.Wait()
			if kept := once.bytes() > 0; kept != (after < idleMemory) {
				t.Errorf("after %v: kept %v what was used once", after, kept)
			}
			if s.take(16<<10) != often || often.bytes() == 0 {
				t.Errorf("after %v: what is used often was dropped", after)
			}
			s.give(often)
		}
		time.Sleep(2 * idleMemory)
		synctest.Wait()
		if s.size != 0 || len(s.free) != 0 || often.bytes() > 0 {
			t.Errorf("%d bytes kept though nobody comes", s.size)
		}
	})
}
