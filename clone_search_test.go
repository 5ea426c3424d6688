// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

// The search for a moment at which clones of a machine draw the same. Every function draws from
// every state that matters, with the counter changed before each load of the generation.
// testdata/seams/shard.go makes the two clones; seams_test.go builds the library with it, and shows
// which defects of a draw the search finds.

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

// A function is one of this package that draws. draw returns the random part of its value: all of
// it must differ in clones.
type function struct {
	name string
	size int // bytes that a generator serves for it, 0 if that varies
	draw func() []byte
}

var functions = []function{
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
		functions = append(functions, token(n))
	}
	var sizes []int
	for n := range 41 {
		sizes = append(sizes, n+1)
	}
	sizes = append(sizes, 47, 48, 49, 63, 64, 65, 100, 127, 128, 129, 191, 192, 193, 223, 224, 225, 255, 256, 257, 447, 448, 449,
		500, 767, 768, 769, 959, 960, 961, 991, 992, 993, 1000, 1023, 1024, 1025, 2000, 4096, 10_000)
	for _, n := range sizes {
		functions = append(functions, read(n))
	}
}

func token(n int) function {
	return function{fmt.Sprintf("Token(%d)", n), min(n, 48), func() []byte { return fromToken(Token(n)) }}
}

func read(n int) function {
	return function{fmt.Sprintf("Read(%d)", n), n, func() []byte { b := make([]byte, n); Read(b); return b }}
}

// others draw values of several chunks, or call one of functions. So they start from fewer states.
var others = []function{
	read(64<<10 - 1), read(64 << 10), read(64<<10 + 1),
	read(128 << 10), read(128<<10 + 5),
	read(256 << 10), read(300 << 10),
	token(100_000),
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

// A mode is how clones are noticed, and what changes the generation in it.
type mode struct {
	name   string
	full   int // bytes in a full buffer
	enter  func()
	change func()
}

var modes = []mode{
	{"counter", shard.Full, func() { clone.SetCounter(new(uint64)) }, clone.Advance},
	{"window", shard.Window, clone.SetOff, shard.Reseed},
}

// forEachMode runs a test on one P in each mode.
func forEachMode(t *testing.T, test func(t *testing.T, m mode)) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	Nonce() // the one P has a state

	for _, m := range modes {
		t.Run(m.name, func(t *testing.T) {
			defer shard.Reseed()
			defer clone.Forget()
			m.enter()
			shard.Reseed()

			test(t, m)
		})
	}
}

// starts are the states that a draw of size bytes can find and that differ for it.
func (m mode) starts(size int) []shard.Start {
	left := []int{0, 1, 7, 8, 20, 28, 31, 32, 33, 64, size - 9, size - 8, size - 1, size, size + 1, m.full - 1, m.full}
	if size <= 48 {
		for n := range size {
			left = append(left, n)
		}
	}
	left = slices.DeleteFunc(left, func(n int) bool { return n < 0 || n > m.full })
	slices.Sort(left)
	return m.startsWith(slices.Compact(left)...)
}

// startsWith are the states with so many bytes left, a wiped one, and a stale one.
func (m mode) startsWith(left ...int) []shard.Start {
	list := []shard.Start{{Wiped: true}, {Left: m.full, Stale: true}}
	for _, n := range left {
		list = append(list, shard.Start{Left: n, SeedDue: true})
		if m.full == shard.Full { // in mode window each refill takes a seed
			list = append(list, shard.Start{Left: n})
		}
	}
	return list
}

// noMoment fails the test if the generation can change at a moment at which clones draw the same:
// before any load of it, or if pairs before any two loads.
func noMoment(t *testing.T, r shard.Replay, pairs bool) {
	t.Helper()
	requireDiffer := func(changes ...int) (inTime bool) {
		what, inTime := r.Shared(changes...)
		if what != "" {
			t.Fatalf("%v, the generation changed before load %v: %s", r.From, changes, what)
		}
		return inTime
	}

	for first := 0; ; first += 1 + first/64 { // the loads of a long draw are alike
		inTime := requireDiffer(first)
		if !inTime {
			return
		}

		for second := first + 1; pairs && second < first+6; second++ {
			inTime := requireDiffer(first, second)
			if !inTime {
				break
			}
		}
	}
}

func TestCloneSearch(t *testing.T) {
	forEachMode(t, func(t *testing.T, m mode) {
		for _, f := range functions {
			t.Run(f.name, func(t *testing.T) {
				for _, from := range m.starts(f.size) {
					pairs := from.Left < 2 || from.Left == 28
					noMoment(t, shard.Replay{From: from, Draw: f.draw, Change: m.change}, pairs)
				}
			})
		}
		for _, f := range others {
			t.Run(f.name, func(t *testing.T) {
				for _, from := range m.startsWith(0, 28) {
					noMoment(t, shard.Replay{From: from, Draw: f.draw, Change: m.change}, false)
				}
			})
		}
	})
}

// A draw ends, however often Reseed is called: here before each load of the generation.
func TestDrawsEndUnderReseeds(t *testing.T) {
	const enough = 10_000
	forEachMode(t, func(t *testing.T, m mode) {
		for _, f := range slices.Concat(functions, others) {
			t.Run(f.name, func(t *testing.T) {
				r := shard.Replay{Draw: f.draw, Change: shard.Reseed}
				if r.RunUntil(enough) >= enough {
					t.Errorf("it did not end within %d calls of Reseed", enough)
				}
			})
		}
	})
}

// A draw that has been made again for several calls of Reseed ignores more of them, but not a clone:
// the counter changes before any load, and Reseed is called before each load until then.
func TestCloneSearchUnderReseeds(t *testing.T) {
	key := function{name: "Key", draw: func() []byte { b := Key(); return b[:] }}
	perm := function{name: "Perm", draw: func() []byte { return choices(Perm(64)) }}

	forEachMode(t, func(t *testing.T, m mode) {
		if m.name == "window" {
			t.Skip("nothing notices a clone")
		}

		for _, f := range []function{key, perm, read(28), read(100), read(2000), read(128<<10 + 5)} {
			t.Run(f.name, func(t *testing.T) {
				var changes []int
				changed := 0
				draw := func() []byte {
					changed = 0
					return f.draw()
				}
				change := func() { // Reseed, and at last the counter
					if changed++; changed < len(changes) {
						shard.Reseed()
					} else {
						m.change()
					}
				}

				r := shard.Replay{From: shard.Start{Left: 28}, Draw: draw, Change: change}
				for k := range 2000 {
					changes = append(changes, k)
					if k > 150 && k%7 != 0 {
						continue
					}

					what, inTime := r.Shared(changes...)
					if what != "" {
						t.Fatalf("the counter changed before load %d: %s", k, what)
					}
					if !inTime {
						break
					}
				}
			})
		}
	})
}
