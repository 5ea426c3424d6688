// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

// The search for a moment at which two clones of a machine draw the same: every way to draw, from
// every state that matters, with the counter changed before each look. testdata/seams/shard.go
// says how one is made, and seams_test.go builds the library with it.

package fount

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"fount/internal/clone"
	"fount/internal/shard"
)

// A way is one way to draw. draw returns the random part of a value: all of it differs in clones.
type way struct {
	name string // the exported name
	size int    // bytes that a state serves for it, 0 if that varies
	draw func() []byte
}

var ways = []way{
	{"Nonce", 16, func() []byte { b := Nonce(); return b[:] }},
	{"Nonce12", 12, func() []byte { b := Nonce12(); return b[:] }},
	{"Nonce24", 24, func() []byte { b := Nonce24(); return b[:] }},
	{"Key", 32, func() []byte { b := Key(); return b[:] }},
	{"Uint64", 8, func() []byte { return low(8, Uint64()) }},
	{"Uint32", 4, func() []byte { return low(4, uint64(Uint32())) }},
	{"Uint", 8, func() []byte { return low(4, uint64(Uint())) }},
	{"Int", 8, func() []byte { return low(3, uint64(Int())) }},
	{"Int64", 8, func() []byte { return low(7, uint64(Int64())) }},
	{"Int32", 4, func() []byte { return low(3, uint64(Int32())) }},
	{"Uint64N", 8, func() []byte { return low(7, Uint64N(1<<63-25)) }},
	{"Int64N", 8, func() []byte { return low(6, uint64(Int64N(3<<58))) }},
	{"Uint32N", 8, func() []byte { return low(3, uint64(Uint32N(1<<31+1))) }},
	{"Int32N", 4, func() []byte { return low(2, uint64(Int32N(3<<28))) }},
	{"UintN", 4, func() []byte { return low(1, uint64(UintN(7919))) }},
	{"IntN", 4, func() []byte { return low(1, uint64(IntN(7919))) }},
	{"Float64", 8, func() []byte { return low(6, uint64(Float64()*(1<<53))) }},
	{"Float32", 4, func() []byte { return low(3, uint64(Float32()*(1<<24))) }},
	{"NormFloat64", 8, func() []byte { return hashed(NormFloat64()) }},
	{"ExpFloat64", 8, func() []byte { return hashed(ExpFloat64()) }},
	{"Perm", 0, func() []byte { return choices(Perm(64)) }},
	{"NewUUID", 16, func() []byte { u := NewUUID(); return slices.Concat(u[:6], u[7:8], u[9:]) }},
	{"NewUUIDv7", 8, func() []byte { u := NewUUIDv7(); return u[9:] }},
	{"Text", 24, func() []byte { return fromText(Text()) }},
	{"Code", 0, func() []byte { return []byte(Code(40, bytes256)) }},
}

// bytes256 is an alphabet whose characters are a byte of a draw each.
var bytes256 = func() string {
	var letters []rune
	for c := range rune(127) {
		letters = append(letters, c+1)
	}
	return string(letters)
}()

func init() {
	for _, n := range []int{16, 17, 32, 48, 49, 64, 96, 100, 500, 2000} {
		ways = append(ways, way{fmt.Sprintf("Token(%d)", n), min(n, 48), func() []byte { return fromToken(Token(n)) }})
	}
	var sizes []int
	for n := range 41 {
		sizes = append(sizes, n+1)
	}
	sizes = append(sizes, 47, 48, 49, 63, 64, 65, 100, 127, 128, 129, 191, 192, 193, 223, 224, 225, 255, 256, 257, 447, 448, 449,
		500, 767, 768, 769, 959, 960, 961, 991, 992, 993, 1000, 1023, 1024, 1025, 2000, 4096, 10_000)
	for _, n := range sizes {
		ways = append(ways, reading(n))
	}
}

// large are the ways whose values have chunks.
var large = []way{
	reading(64<<10 - 1), reading(64 << 10), reading(64<<10 + 1), reading(128 << 10), reading(128<<10 + 5), reading(256 << 10), reading(300 << 10),
	{"Token(100000)", 48, func() []byte { return fromToken(Token(100_000)) }},
}

func reading(n int) way {
	return way{fmt.Sprintf("Read(%d)", n), n, func() []byte { b := make([]byte, n); Read(b); return b }}
}

// of the package alone: values over others' functions.
var sources = []way{
	{"Reader", 24, func() []byte { b := make([]byte, 24); Reader.Read(b); return b }},
	{"Source.Uint64", 8, func() []byte { return low(8, Source{}.Uint64()) }},
	{"Source.Int63", 8, func() []byte { return low(7, uint64(Source{}.Int63())) }},
	{"NewRand", 8, func() []byte { return low(8, NewRand().Uint64()) }},
	{"N", 4, func() []byte { return low(1, uint64(N(uint16(7919)))) }},
}

// low returns the n low bytes of v.
func low(n int, v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v)[:n] }

// hashed tells values apart that have no bit by bit form.
func hashed(f float64) []byte {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)))
	return sum[:8]
}

// choices returns the draws of 5 bits and more behind a permutation: where each element was put.
func choices(p []int) (b []byte) {
	p = slices.Clone(p)
	for i := len(p) - 1; i >= 32; i-- {
		j := slices.Index(p, i)
		b = append(b, byte(j))
		p[j] = p[i]
		p = p[:i]
	}
	return b
}

func fromText(s string) []byte {
	b, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

func fromToken(s string) []byte {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// A scene is a mode, and what moves in it.
type scene struct {
	name   string
	most   int // bytes in a full buffer
	set    func()
	move   func()
	forget func()
}

var scenes = []scene{
	{"counter", shard.Full, func() { clone.SetCounter(new(uint64)) }, clone.Advance, clone.Forget},
	{"window", shard.Window, clone.SetOff, shard.Reseed, clone.Forget},
}

// memories are the states that a draw of size bytes can find and that differ for it.
func (s scene) memories(size int, few bool) []shard.Memory {
	left := []int{0, 1, 7, 8, 20, 28, 31, 32, 33, 64, size - 9, size - 8, size - 1, size, size + 1, s.most - 1, s.most}
	if size <= 48 && !few {
		for n := range size {
			left = append(left, n)
		}
	}
	left = slices.DeleteFunc(left, func(n int) bool { return n < 0 || n > s.most })
	slices.Sort(left)
	left = slices.Compact(left)
	if few {
		left = []int{0, 28}
	}
	list := []shard.Memory{{Wiped: true}, {Left: s.most, Stale: true}}
	for _, n := range left {
		due := s.most == shard.Window // there each refill takes a seed
		list = append(list, shard.Memory{Left: n, Due: due})
		if !due {
			list = append(list, shard.Memory{Left: n, Due: true})
		}
	}
	return list
}

// A finding is a moment at which clones draw the same.
type finding struct {
	way    string
	memory shard.Memory
	moves  []int
	what   string
}

func (f finding) String() string {
	return fmt.Sprintf("%s, %v, the counter changed before look %v: %s", f.way, f.memory, f.moves, f.what)
}

// A search counts what it tried and keeps what it found.
type search struct {
	moments int
	found   []finding
}

// try moves the counter before each look of one draw from one memory, and if twice before each two.
func (s *search) try(name string, r *shard.Replay, twice bool) {
	look := func(moves ...int) bool {
		what, moved := r.Shared(moves...)
		if what != "" {
			s.found = append(s.found, finding{name, r.Memory, moves, what})
		}
		if moved {
			s.moments++
		}
		return moved
	}
	for k := 0; look(k); k += 1 + k/64 { // the looks of a long draw are alike
		for l := k + 1; twice && l < k+6 && look(k, l); l++ {
		}
	}
}

// searched runs try for a way from all memories of a scene.
func (s *search) searched(sc scene, w way, few bool) {
	r := shard.Replay{Move: sc.move, Draw: w.draw}
	for _, m := range sc.memories(w.size, few) {
		r.Memory = m
		s.try(w.name, &r, !few && (m.Left < 2 || m.Left == 28))
	}
}

// inScene runs f on one P in one mode.
func inScene(t *testing.T, sc scene, f func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	Nonce()
	sc.set()
	defer func() {
		sc.forget()
		shard.Reseed()
	}()
	shard.Reseed()
	f()
}

// report fails the test with a line for each value that clones share.
func (s *search) report(t *testing.T) {
	t.Helper()
	t.Logf("%d moments searched, %d with bytes in common", s.moments, len(s.found))
	count := map[string]int{}
	for _, f := range s.found {
		count[f.way]++
	}
	for _, f := range s.found {
		if n := count[f.way]; n > 0 {
			t.Errorf("%v (and %d moments more)", f, n-1)
			count[f.way] = 0
		}
	}
}

func TestCloneSearch(t *testing.T) {
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			var s search
			inScene(t, sc, func() {
				for _, w := range ways {
					s.searched(sc, w, false)
				}
				for _, w := range slices.Concat(large, sources) {
					s.searched(sc, w, true)
				}
			})
			s.report(t)
		})
	}
}

// A draw ends, however often Reseed is called: before each of its looks, here.
func TestDrawsEndUnderReseeds(t *testing.T) {
	const enough = 10_000
	for _, sc := range scenes {
		inScene(t, sc, func() {
			for _, w := range slices.Concat(ways, large, sources) {
				r := shard.Replay{Move: shard.Reseed, Draw: w.draw}
				if r.Storm(enough) >= enough {
					t.Errorf("mode %s, %s: it did not end within %d calls of Reseed", sc.name, w.name, enough)
				}
			}
		})
	}
}

// Where it gave up waiting for Reseed to pause, a draw is of one generation too: the counter moves
// before a look that comes after any number of others, before each of which Reseed was called.
func TestCloneSearchUnderReseeds(t *testing.T) {
	sc := scenes[0]
	var s search
	inScene(t, sc, func() {
		for _, w := range []way{
			{"Key", 32, func() []byte { b := Key(); return b[:] }},
			{"Perm", 0, func() []byte { return choices(Perm(64)) }},
			reading(28), reading(100), reading(2000), reading(128<<10 + 5),
		} {
			var moves []int
			moved := 0
			r := shard.Replay{Memory: shard.Memory{Left: 28}}
			r.Draw = func() []byte {
				moved = 0
				return w.draw()
			}
			r.Move = func() {
				if moved++; moved < len(moves) {
					shard.Reseed()
				} else {
					sc.move()
				}
			}
			for k := range 2000 {
				moves = append(moves, k)
				if k > 150 && k%7 != 0 {
					continue
				}
				what, inTime := r.Shared(moves...)
				if !inTime {
					break
				}
				s.moments++
				if what != "" {
					s.found = append(s.found, finding{w.name, r.Memory, moves[k:], what})
				}
			}
		}
	})
	s.report(t)
}
