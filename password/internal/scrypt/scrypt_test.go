// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scrypt

import (
	"bytes"
	"testing"
	"testing/synctest"

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
