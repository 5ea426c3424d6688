// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package blowfish

import (
	"encoding/base64"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/bcrypt"

	"fount/internal/turn"
)

var base64bcrypt = base64.NewEncoding("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789").
	WithPadding(base64.NoPadding)

func encode(b []byte) string { return base64bcrypt.EncodeToString(b) }

func decodeSalt(t testing.TB, s string) (salt [16]byte) {
	t.Helper()
	b, err := base64bcrypt.DecodeString(s)
	if err != nil || len(b) != len(salt) {
		t.Fatalf("salt %q: %d bytes, %v", s, len(b), err)
	}
	copy(salt[:], b)
	return salt
}

func newLane(password string, salt [16]byte) *Lane {
	return &Lane{Key: append([]byte(password), 0), Salt: salt}
}

// randomLane has a password of n bytes and a salt from r.
func randomLane(r *rand.ChaCha8, n int) *Lane {
	lane := &Lane{Key: make([]byte, n+1)}
	r.Read(lane.Key[:n])
	r.Read(lane.Salt[:])
	return lane
}

// agrees asks golang.org/x/crypto/bcrypt whether lane's Sum is right.
func agrees(cost int, lane *Lane) bool {
	encoded := fmt.Sprintf("$2a$%02d$%s%s", cost, encode(lane.Salt[:]), encode(lane.Sum[:]))
	return bcrypt.CompareHashAndPassword([]byte(encoded), lane.Key[:len(lane.Key)-1]) == nil
}

func seeded(seed byte) *rand.ChaCha8 { return rand.NewChaCha8([32]byte{seed}) }

// costOf returns a cost from 4 to 8: for half of all n it is 4.
func costOf(n byte) int { return MinCost + bits.TrailingZeros8(n|16) }

// Each length of password, at costs 4 to 8, side by side with others.
func TestAgreesWithXCrypto(t *testing.T) {
	r := seeded(1)
	e := new(Engine)
	for cost := 4; cost <= 8; cost++ {
		var lanes []*Lane
		for n := range 73 {
			if costOf(byte(n)) == cost {
				lanes = append(lanes, randomLane(r, n))
			}
		}
		for width := 1; len(lanes) > 0; width = width%MaxLanes + 1 {
			part := lanes[:min(width, len(lanes))]
			lanes = lanes[len(part):]
			e.Run(cost, part)
			for i, lane := range part {
				if !lane.Done || !agrees(cost, lane) {
					t.Errorf("cost %d, lane %d of %d, %d bytes: done %v, x/crypto/bcrypt has another hash",
						cost, i+1, len(part), len(lane.Key)-1, lane.Done)
				}
			}
		}
	}

	wrong := randomLane(r, 8)
	e.Run(4, []*Lane{wrong})
	if wrong.Sum[22] ^= 1; agrees(4, wrong) {
		t.Error("negative control: x/crypto/bcrypt agrees with a wrong hash")
	}
}

// Lanes that are given up, at any yield, and lanes without a key leave their
// neighbours the hash they have alone.
func TestLanesDoNotDisturbEachOther(t *testing.T) {
	const cost = 5
	r := seeded(2)
	rnd := rand.New(r)
	e := new(Engine)
	alone := new(Engine)
	for range 100 {
		lanes := make([]*Lane, 1+rnd.IntN(MaxLanes))
		gone := make([]bool, len(lanes))
		for i := range lanes {
			lanes[i] = randomLane(r, rnd.IntN(73))
			lanes[i].Sum[0], lanes[i].Done = 0xA5, true // left from before
			switch rnd.IntN(4) {
			case 0:
				lanes[i].Key = nil
				gone[i] = true
			case 1, 2:
				questions := rnd.IntN(1<<cost/turn.Looks + 2) // with luck, as many as there will be
				lanes[i].Gone = func() bool {
					gone[i] = questions == 0
					questions--
					return gone[i]
				}
			}
		}

		e.Run(cost, lanes)
		for i, lane := range lanes {
			if lane.Done == gone[i] {
				t.Fatalf("lane %d of %d: done %v, gone %v", i, len(lanes), lane.Done, gone[i])
			}
			if !lane.Done {
				continue
			}
			again := &Lane{Key: lane.Key, Salt: lane.Salt}
			alone.Run(cost, []*Lane{again})
			if lane.Sum != again.Sum {
				t.Fatalf("lane %d of %d: %x, alone %x", i, len(lanes), lane.Sum, again.Sum)
			}
		}
	}
}

// A turn ends after so many pairs of key schedules where the clock stands
// still, and at once where they take long.
func TestTurns(t *testing.T) {
	const cost = 6
	questions := func() (n int) {
		lane := newLane("password", [16]byte{})
		lane.Gone = func() bool { n++; return false }
		new(Engine).Run(cost, []*Lane{lane})
		return n
	}
	synctest.Test(t, func(t *testing.T) {
		if n := questions(); n != 1+1<<cost/turn.Looks {
			t.Errorf("%d questions where the clock stands still, want one and %d", n, 1<<cost/turn.Looks)
		}
		fast := kernels[1]
		defer func() { kernels[1] = fast }()
		for _, pairs := range []int{1, 2} {
			pause := 400 * time.Microsecond / 2 / time.Duration(pairs)
			kernels[1] = func(s *states) { time.Sleep(pause); fast(s) }
			if n := questions(); n != 1+1<<cost/pairs {
				t.Errorf("%d questions where %d pairs take a slice, want one and %d", n, pairs, 1<<cost/pairs)
			}
		}
	})
}

func TestNothingIsLeftAfterRun(t *testing.T) {
	e := new(Engine)
	holds := false
	lane := newLane("password", [16]byte{1, 2, 3})
	lane.Gone = func() bool {
		holds = holds || e.keys[0][0] == 0x70617373 && e.salts[0][0] == 0x01020300 && e.states[0] != state{}
		return false
	}

	e.Run(MinCost, []*Lane{lane, newLane("other", [16]byte{})})
	if !holds {
		t.Error("negative control: no key, salt and state seen while Run had them")
	}
	if !reflect.ValueOf(*e).IsZero() {
		t.Error("Run left something in its Engine")
	}

	asked := 0
	lane.Gone = func() bool {
		if asked++; asked == 3 {
			panic("from Gone")
		}
		return false
	}
	func() {
		defer func() {
			if r := recover(); r != "from Gone" {
				t.Errorf("recovered %v, want the panic of Gone", r)
			}
		}()
		e.Run(MinCost, []*Lane{lane})
	}()
	if !reflect.ValueOf(*e).IsZero() {
		t.Error("Run left something in its Engine when Gone panicked")
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	e := new(Engine)
	r := seeded(3)
	var lanes []*Lane
	for range MaxLanes {
		lanes = append(lanes, randomLane(r, 12))
	}

	// Where a run takes milliseconds, one of the first may make the pipe that it parks at.
	var n float64
	for range 5 {
		if n = testing.AllocsPerRun(5, func() { e.Run(MinCost, lanes) }); n == 0 {
			return
		}
	}
	t.Errorf("Run allocates %v times, want 0", n)
}

func TestRunRefuses(t *testing.T) {
	for _, of := range []struct{ cost, lanes int }{{MinCost - 1, 1}, {MaxCost + 1, 1}, {MinCost, MaxLanes + 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("cost %d, %d lanes: no panic", of.cost, of.lanes)
				}
			}()
			new(Engine).Run(of.cost, slices.Repeat([]*Lane{newLane("password", [16]byte{})}, of.lanes))
		}()
	}
}

// BenchmarkRun gives the time of one Run at cost 10, and for each hash.
func BenchmarkRun(b *testing.B) {
	for k := 1; k <= MaxLanes; k++ {
		b.Run(fmt.Sprint("lanes=", k), func(b *testing.B) {
			var lanes []*Lane
			for range k {
				lanes = append(lanes, randomLane(seeded(6), 12))
			}
			e := new(Engine)
			b.ReportAllocs()
			for b.Loop() {
				e.Run(10, lanes)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N)/float64(k), "ms/hash")
		})
	}
}
