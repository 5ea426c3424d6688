// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scrypt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"

	xscrypt "golang.org/x/crypto/scrypt"

	"fount/internal/turn"
)

func started(gone func() bool) *turn.Turn {
	var t turn.Turn
	t.Start(LookEvery, gone)
	return &t
}

// A turn ends after so many words, whether a hash has many small parts or one large: where the
// clock stands still, after Looks times LookEvery. And when nobody waits any more Key ends, and the
// memory is wiped.
func TestTurns(t *testing.T) {
	for _, p := range []Params{{16, 1, 1}, {12, 16, 1}, {1, 1 << 15, 1}, {5, 2048, 1}, {1, 1, 1 << 13}} {
		mixed, hashed := 2*32*p.R<<p.Cost, 128*p.R*5 // words, where each 32 bytes are of an HMAC of 128
		all := p.P * (mixed + hashed)
		yields := 0
		for _, patience := range []int{all, 0, 1} {
			memory := bytes.Repeat([]byte{1}, int(p.Memory()))
			asked := 0
			var key []byte
			synctest.Test(t, func(*testing.T) {
				key = p.Key(32, nil, nil, memory, started(func() bool { asked++; return asked > patience }))
			})
			if patience == all {
				yields = asked
				if exact := all / LookEvery / turn.Looks; yields < exact*9/10 || yields > exact {
					t.Errorf("%+v yields %d times; want about %d", p, yields, exact)
				}
			}
			if want := min(patience+1, yields); asked != want || (key != nil) != (want <= patience) {
				t.Errorf("%+v, after %d yields nobody waits: key %x, asked %d times, want %d", p, patience, key, asked, want)
			}
			if bytes.ContainsFunc(memory, func(r rune) bool { return r != 0 }) {
				t.Errorf("%+v: the memory is not zero", p)
			}
		}
	}
}

// setLevel has the test run with an implementation.
func setLevel(t testing.TB, level int) {
	old := inUse
	inUse = level
	t.Cleanup(func() { inUse = old })
}

// eachLevel runs f as a test for each implementation that this processor has.
func eachLevel(t *testing.T, f func(t *testing.T)) {
	for level := range fastest() + 1 {
		t.Run(fmt.Sprint("level ", level), func(t *testing.T) {
			setLevel(t, level)
			f(t)
		})
	}
}

// Every implementation makes x/crypto's keys: of few blocks and of many, of a block that takes more
// than one turn, in memory that holds anything, of which it leaves zeros, and nothing beyond it.
func TestKeyAgainstXCrypto(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	eachLevel(t, func(t *testing.T) {
		for _, p := range []Params{{1, 1, 1}, {4, 1, 2}, {6, 8, 1}, {3, 3, 3}, {2, LookEvery/32 + 5, 1}, {10, 2, 1}, {1, 1, 1000}} {
			for _, n := range []int{16, 32, 33, 64} {
				given := random(1 + r.IntN(40))
				salt := random(16)
				want, err := xscrypt.Key(given, salt, 1<<p.Cost, p.R, p.P, n)
				if err != nil {
					t.Fatal(err)
				}
				memory := random(int(p.Memory()) + 1)
				beyond := memory[p.Memory()]
				if got := p.Key(n, given, salt, memory, started(nil)); !bytes.Equal(got, want) {
					t.Errorf("%+v: %x; want %x", p, got, want)
				}
				if !bytes.Equal(memory, append(make([]byte, p.Memory()), beyond)) {
					t.Errorf("%+v: the memory is not zero, or what follows it has changed", p)
				}
			}
		}
	})
}
