// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scrypt

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fount/internal/turn"
)

// RFC 7914, section 10: N = 16, r = 1.
func TestMixRFC7914(t *testing.T) {
	b, want := unhex(t, `f7 ce 0b 65 3d 2d 72 a4 10 8c f5 ab e9 12 ff dd 77 76 16 db bb 27 a7 0e 82 04 f3 ae 2d 0f 6f ad
		89 f6 8f 48 11 d1 e8 7b cc 3b d7 40 0a 9f fd 29 09 4f 01 84 63 95 74 f3 9a e5 a1 31 52 17 bc d7
		89 49 91 44 72 13 bb 22 6c 25 b5 4d a8 63 70 fb cd 98 43 80 37 46 66 bb 8f fc b5 bf 40 c2 54 b0
		67 d2 7c 51 ce 4a d5 fe d8 29 c9 0b 50 5a 57 1b 7f 4d 1c ad 6a 52 3c da 77 0e 67 bc ea af 7e 89`),
		unhex(t, `79 cc c1 93 62 9d eb ca 04 7f 0b 70 60 4b f6 b6 2c e3 dd 4a 96 26 e3 55 fa fc 61 98 e6 ea 2b 46
		d5 84 13 67 3b 99 b0 29 d6 65 c3 57 60 1f b4 26 a0 b2 f4 bb a2 00 ee 9f 0a 43 d1 9b 57 1a 9c 71
		ef 11 42 e6 5d 5a 26 6f dd ca 83 2c e5 9f aa 7c ac 0b 9c f1 be 2b ff ca 30 0d 01 ee 38 76 19 c4
		ae 12 fd 44 38 f2 03 a0 e4 e1 c4 7e c3 14 86 1f 4e 90 87 cb 33 39 6a 68 73 e8 f9 d2 53 9a 4b 8e`)
	eachLevel(t, func(t *testing.T) {
		b, memory := slices.Clone(b), slices.Repeat([]uint32{0xffffffff}, Words(4, 1)+1)
		if !Mix(b, 4, 1, memory, started(nil)) {
			t.Error("given up")
		}
		if !bytes.Equal(b, want) {
			t.Errorf("%x, want %x", b, want)
		}
		for i, w := range memory[:Words(4, 1)] {
			if w != 0 {
				t.Errorf("word %d of the memory is %#x, want 0", i, w)
			}
		}
		if memory[Words(4, 1)] == 0 {
			t.Error("a word beyond the memory was written")
		}
	})
}

func started(gone func() bool) *turn.Turn {
	var t turn.Turn
	t.Start(LookEvery, gone)
	return &t
}

// A turn ends after so many words, whether a block has many or few: where the clock
// stands still, after Looks times LookEvery. And when nobody waits any more Mix
// ends, with b as it was and the memory wiped.
func TestTurns(t *testing.T) {
	for _, of := range []struct{ cost, r int }{{16, 1}, {12, 16}, {1, 1 << 15}, {5, 2048}} {
		all := 2 * 32 * of.r << of.cost // words: the table is written and read once
		memory := make([]uint32, Words(of.cost, of.r))
		for _, patience := range []int{all / LookEvery / turn.Looks, 0, 1} {
			b := bytes.Repeat([]byte{1}, 128*of.r)
			asked := 0
			var done bool
			synctest.Test(t, func(*testing.T) {
				done = Mix(b, of.cost, of.r, memory, started(func() bool { asked++; return asked > patience }))
			})
			want := min(patience+1, all/LookEvery/turn.Looks)
			if asked != want || done != (want == patience) {
				t.Errorf("N=2^%d, r=%d, after %d yields nobody waits: done %v, asked %d times, want %d",
					of.cost, of.r, patience, done, asked, want)
			}
			if done == (b[0] == 1) {
				t.Errorf("N=2^%d, r=%d: done %v, b changed %v", of.cost, of.r, done, b[0] != 1)
			}
			if i := slices.IndexFunc(memory, func(w uint32) bool { return w != 0 }); i >= 0 {
				t.Errorf("N=2^%d, r=%d: word %d of the memory is not zero", of.cost, of.r, i)
			}
		}
	}
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
