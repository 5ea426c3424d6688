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
		b := slices.Clone(b)
		if !mix(b, 4, 1, make([]uint32, 32*(16+2)), started(nil)) {
			t.Error("given up")
		}
		if !bytes.Equal(b, want) {
			t.Errorf("%x, want %x", b, want)
		}
	})
}

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

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
