// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// What draws and hashes cost on this machine.

import (
	"crypto/rand"
	"fmt"
	"math"
	"time"

	"fount"
	"fount/internal/blowfish"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
)

// Costs are those of the calls that are there and of those that would stand in their place, on one core of this machine.
type Costs struct {
	Draw     Change `json:"crypto_rand_16"` // 16 bytes of crypto/rand, and of fount
	UUID     Change `json:"uuid"`           // of google/uuid, and of fount
	UUIDText Change `json:"uuid_text"`      // as a string
	Bcrypt   Change `json:"bcrypt"`         // one of cost 6, and one of several side by side, as the pool makes them while they queue
}

// A Change is what a call costs and what the one in its place does, in ns: the least of rounds in which both had a turn.
type Change struct {
	From float64 `json:"ns"`
	To   float64 `json:"own_ns"`
}

// saves is the part of the cost that the change saves.
func (c Change) saves() float64 { return max(0, 1-c.To/c.From) }

// What is made is kept, as a program does.
var kept struct {
	bytes [16]byte
	id    uuid.UUID
	text  string
}

// Measure measures all costs, in a second.
func Measure() *Costs {
	hash, err := bcrypt.GenerateFromPassword([]byte("password"), 6)
	if err != nil {
		panic(err) // its arguments are constants
	}
	engine, lanes := blowfish.New(), make([]*blowfish.Lane, blowfish.MaxLanes)
	for i := range lanes {
		lanes[i] = &blowfish.Lane{Key: fmt.Appendf(nil, "password %d\x00", i)}
	}
	c := &Costs{
		Draw:     compare(func() { rand.Read(kept.bytes[:]) }, func() { fount.Read(kept.bytes[:]) }),
		UUID:     compare(func() { kept.id = uuid.New() }, func() { kept.id = uuid.UUID(fount.NewUUID()) }),
		UUIDText: compare(func() { kept.text = uuid.NewString() }, func() { kept.text = fount.NewUUID().String() }),
		Bcrypt:   compare(func() { _ = bcrypt.CompareHashAndPassword(hash, []byte("password")) }, func() { engine.Run(6, lanes) }),
	}
	c.Bcrypt.To /= blowfish.MaxLanes
	return c
}

// compare has both calls take turns of 5 ms. The least of a call's turns is its own: what is more is the machine's.
func compare(from, to func()) Change {
	least := [2]float64{math.Inf(1), math.Inf(1)}
	for range 20 {
		for i, call := range []func(){from, to} {
			n, start := 0, time.Now()
			for time.Since(start) < 5*time.Millisecond {
				for range min(64, n+1) { // one at first, as a hash takes long
					call()
					n++
				}
			}
			least[i] = min(least[i], float64(time.Since(start).Nanoseconds())/float64(n))
		}
	}
	return Change{least[0], least[1]}
}
