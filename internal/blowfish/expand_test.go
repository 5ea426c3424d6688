// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package blowfish

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	//lint:ignore SA1019 a bcrypt needs Blowfish, and this is another's
	"golang.org/x/crypto/blowfish"
)

// implementations are the kernels that can run here.
var implementations = map[string][MaxLanes + 1]kernel{"Go": inGo, "this CPU's": kernels}

func randomStates(r *rand.ChaCha8) *states {
	s := new(states)
	for i := range s {
		for j := range s[i] {
			s[i][j] = uint32(r.Uint64())
		}
	}
	return s
}

// Each kernel does to the first k states what encrypt does to each alone, and
// nothing to the others.
func TestKernels(t *testing.T) {
	for name, kernels := range implementations {
		for k := 1; k <= MaxLanes; k++ {
			r := seeded(4)
			for range 3 {
				got := randomStates(r)
				want := new(states)
				*want = *got
				for i := range k {
					var left, right uint32
					for n := 0; n < words; n += 2 {
						left, right = want[i].encrypt(left, right)
						want[i][n], want[i][n+1] = left, right
					}
				}
				kernels[k](got)
				for i := range got {
					if got[i] != want[i] {
						t.Errorf("%s kernel of %d lanes: state %d is wrong", name, k, i)
					}
				}
			}
		}
	}
}

// The initial state and encrypt are those of golang.org/x/crypto/blowfish,
// which has its own tables: a key schedule replaces each word with one that
// depends on most of the others.
func TestStateAgreesWithXCrypto(t *testing.T) {
	if initial[0] != 0x243f6a88 || initial[box0] != 0xd1310ba6 || initial[words-1] != 0x3ac372e6 {
		t.Errorf("the initial state begins with %#x, its tables with %#x, and it ends with %#x",
			initial[0], initial[box0], initial[words-1])
	}
	r := seeded(5)
	for n := range 73 {
		lane := randomLane(r, n)
		var s state
		var key, salt schedule
		key.set(lane.Key)
		salt.set(lane.Salt[:])
		s.start(&key, &salt)
		theirs, err := blowfish.NewSaltedCipher(lane.Key, lane.Salt[:])
		if err != nil {
			t.Fatal(err)
		}
		var block [8]byte
		r.Read(block[:])
		left, right := s.encrypt(binary.BigEndian.Uint32(block[:]), binary.BigEndian.Uint32(block[4:]))
		theirs.Encrypt(block[:], block[:])
		if got, want := fmt.Sprintf("%08x%08x", left, right), fmt.Sprintf("%x", block); got != want {
			t.Errorf("key %x, salt %x: %s, x/crypto/blowfish has %s", lane.Key, lane.Salt, got, want)
		}
	}
}

func TestWidths(t *testing.T) {
	if Relative(1) != 1 {
		t.Errorf("Relative(1) = %v, want 1", Relative(1))
	}
	for k := 2; k <= MaxLanes; k++ {
		if Relative(k) < Relative(k-1) || Relative(k) > float64(k) {
			t.Errorf("Relative(%d) = %v, want at least Relative(%d) = %v, and at most %d",
				k, Relative(k), k-1, Relative(k-1), k)
		}
		if Relative(Best())/float64(Best()) > Relative(k)/float64(k) {
			t.Errorf("Best() = %d, but %d lanes take less time for each hash", Best(), k)
		}
	}
}
