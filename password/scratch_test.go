// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// use has s hold what an argon2 left in n blocks.
func (s *scratch) use(n int) {
	for i, block := range s.forArgon2(n) {
		s.memory[i<<10+i%len(block)] = 1
	}
}

// left returns how many bytes are not zero.
func left(b []byte) int { return len(b) - bytes.Count(b, []byte{0}) }

// Nothing is left in a scratch when it is given back, also of a large hash before a small one,
// and before a hash of the other algorithm.
func TestScratchIsWiped(t *testing.T) {
	for name, end := range map[string]func(*scratch){
		"drop":     (*scratch).drop,
		"for more": func(s *scratch) { s.forArgon2(2000); s.drop() },
	} {
		t.Run(name, func(t *testing.T) {
			var s scratch

			s.use(1000)
			s.use(10)
			memory := s.memory
			unmap := s.unmap
			given := false
			if left(memory) == 0 {
				t.Fatal("control: nothing was left by the hash")
			}

			s.unmap = func() {
				given = true
				if n := left(memory); n > 0 {
					t.Errorf("%d bytes were given back as they were", n)
				}
				unmap()
			}
			if end(&s); !given {
				t.Error("not given back")
			}
			s.use(1000)
			if n := left(s.zeros(1)) + left(s.memory); n > 0 {
				t.Errorf("%d bytes are left to a scrypt", n)
			}
			s.drop()
		})
	}
}

// What argon2 left is there for a hash that comes at once, and else wiped after wipeAfter,
// whatever else comes and goes; a hash that comes during the wipe gets the rest.
func TestScratchPoolWipes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 1000 << 10
		s := &scratchPool{limit: 10 * size}
		a := s.take(size)
		b := s.take(size)
		a.use(1000)
		b.use(1000)
		s.give(a)
		s.give(b)

		for range 3 { // b comes and goes; a lies idle
			time.Sleep(wipeAfter / 4)
			if b != s.take(size) {
				t.Fatal("not the scratch that was used last")
			}
			if left(b.memory) == 0 {
				t.Error("wiped before the next hash")
			}
			s.give(b)
		}

		time.Sleep(wipeAfter / 4)
		synctest.Wait()
		if n := left(a.memory) + left(b.memory); n > 0 {
			t.Errorf("%d bytes not wiped after %v", n, wipeAfter)
		}

		s.take(size).use(1000)
		s.give(b)
		s.wipePiece()
		if c := s.take(size); c != b || c.dirty == 0 || c.dirty == size || left(c.memory[c.dirty:]) > 0 {
			t.Errorf("%d bytes to be wiped after one piece", b.dirty)
		}

		time.Sleep(2 * wipeAfter)
		synctest.Wait()
		if left(b.memory) == 0 {
			t.Error("wiped while in use")
		}

		s.give(b)
		time.Sleep(wipeAfter)
		synctest.Wait()
		if n := left(b.memory); n > 0 {
			t.Errorf("%d bytes not wiped after the second use", n)
		}

		s.dropUnused()
	})
}

// Memory that no hash has asked for goes after idleMemory, also where others keep coming; theirs
// stays.
func TestScratchPoolDropsWhatIsIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scratchPool{limit: 1 << 20}
		once := s.take(64 << 10)
		often := s.take(16 << 10)
		once.use(64)
		often.use(16)
		s.give(once)
		s.give(often)

		for after := idleMemory / 2; after < 4*idleMemory; after += idleMemory / 2 {
			time.Sleep(idleMemory / 2)
			synctest.Wait()
			if kept := len(once.memory) > 0; kept != (after < idleMemory) {
				t.Errorf("after %v: kept %v what was used once", after, kept)
			}
			if s.take(16<<10) != often || len(often.memory) == 0 {
				t.Errorf("after %v: what is used often was dropped", after)
			}
			s.give(often)
		}
		time.Sleep(2 * idleMemory)
		synctest.Wait()
		if s.kept != 0 || len(s.free) != 0 || len(often.memory) > 0 {
			t.Errorf("%d bytes kept though nobody comes", s.kept)
		}
	})
}

// What goes back to the system is waited for by all who need its room and by those who clear the
// pool, and by none that has room beside it.
func TestAllWaitForWhatIsDropped(t *testing.T) {
	const size = 8 << 10
	for name, c := range map[string]struct {
		drop  func(*scratchPool) // of 2*size
		takes []int64            // beside it
		want  time.Duration
	}{
		"no room":   {func(s *scratchPool) { s.take(3 * size) }, []int64{size / 2, size / 4, size / 4}, time.Second},
		"room":      {(*scratchPool).dropUnused, []int64{size, size / 2, size / 2}, 0},
		"no budget": {func(s *scratchPool) { s.mu.Lock(); s.limit = 0; s.trim(); s.mu.Unlock() }, []int64{size}, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &scratchPool{limit: 4 * size}
				old := s.take(2 * size)
				old.use(2 * size >> 10)
				unmap := old.unmap
				old.unmap = func() {
					time.Sleep(time.Second)
					unmap()
				}
				s.give(old)

				began := time.Now()
				var all sync.WaitGroup
				after := func(want time.Duration, what string, f func()) {
					all.Go(func() {
						if f(); time.Since(began) != want {
							t.Errorf("%s after %v; want %v", what, time.Since(began), want)
						}
					})
					synctest.Wait()
				}

				after(time.Second, "dropped", func() { c.drop(s) })
				for _, n := range c.takes {
					after(c.want, "taken", func() { s.take(n) })
				}
				after(time.Second, "cleared", s.dropUnused)
				all.Wait()
			})
		})
	}
}

// With workers side by side, and memory that goes back slowly, no more is mapped than the limit.
func TestScratchPoolKeepsItsLimit(t *testing.T) {
	const limit, workers = 64, 4 // KiB; the largest hashes of all workers fill it
	synctest.Test(t, func(t *testing.T) {
		s := &scratchPool{limit: limit << 10}
		rnd := rand.New(rand.NewPCG(1, 2))
		var mu sync.Mutex
		var mapped, most int
		count := func(n int) {
			mu.Lock()
			defer mu.Unlock()
			mapped += n
			most = max(most, mapped)
		}
		pause := func() {
			mu.Lock()
			d := rnd.IntN(10e6)
			mu.Unlock()
			time.Sleep(time.Duration(1 + d))
		}

		var all sync.WaitGroup
		for range workers {
			all.Go(func() {
				for round := range 200 {
					n := []int{3, 8, 11, limit / workers}[round%4]
					l := s.take(int64(n) << 10)
					if len(l.memory) == 0 {
						l.use(n)
						count(n)
						unmap := l.unmap
						l.unmap = func() {
							pause()
							unmap()
							count(-n)
						}
					}
					pause()
					s.give(l)
				}
			})
		}
		all.Wait()
		s.dropUnused()

		if s.kept != 0 || s.used != 0 || s.dropping != 0 || mapped != 0 {
			t.Errorf("%d bytes kept, %d used, %d leaving, %d KiB mapped after all; want none", s.kept, s.used, s.dropping, mapped)
		}
		if most > limit || most < limit*3/4 {
			t.Errorf("up to %d KiB are mapped; want %d at most, and three quarters of it", most, limit)
		}
	})
}

// Hashes without a Pool compute in the memory that the one before left, and an unknown user takes
// one, too.
func TestHashesWithoutPoolShareMemory(t *testing.T) {
	last := func(p Policy, stored string) *scratch {
		if _, err := Verify(p, []byte("x"), stored); err != ErrMismatch {
			t.Fatal(err)
		}
		unpooledScratch.mu.Lock()
		defer unpooledScratch.mu.Unlock()
		return unpooledScratch.free[len(unpooledScratch.free)-1]
	}

	p := Policy{Algorithm: Argon2id, Memory: 300, Iterations: 1}
	first := last(p, storedBy(t, p))
	second := last(p, "")
	if first != second || len(first.memory) != 300<<10 {
		t.Errorf("the second hash of %d bytes has memory of its own", len(first.memory))
	}

	p.Memory = 304
	if unknown := last(p, ""); len(unknown.memory) != 304<<10 {
		t.Error("an unknown user is answered without a hash")
	}
}

// Works that share a scratch leave nothing in it that another would notice.
func TestScratchIsShared(t *testing.T) {
	shared := new(scratch)
	password := []byte("correct horse")
	var sizes []int
	for _, p := range []Policy{
		{Algorithm: Argon2id, Memory: 64, Iterations: 2, Parallelism: 2},
		{Algorithm: Argon2d, Memory: 16, Iterations: 1},
		{Algorithm: Scrypt, Cost: 8, Parallelism: 3},
		{Algorithm: Scrypt, Cost: 4, BlockSize: 3},
		{Algorithm: Argon2i, Memory: 128, Iterations: 1},
	} {
		j := must(p.hashJob(password))(t)

		alone := j.compute()
		j.scratch = shared
		for range 2 {
			if got := j.compute(); !bytes.Equal(got, alone) {
				t.Errorf("%v: %x in shared memory, %x alone", p.Algorithm, got, alone)
			}
		}
		sizes = append(sizes, len(shared.memory))
	}

	if want := []int{64 << 10, 64 << 10, 259 << 10, 259 << 10, 259 << 10}; !slices.Equal(sizes, want) {
		t.Errorf("held %v, want %v", sizes, want)
	}
	if shared.drop(); len(shared.memory) != 0 {
		t.Errorf("%d bytes held after drop", len(shared.memory))
	}
}
