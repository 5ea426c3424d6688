// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// What calls and their replacements cost on this machine.

import (
	"crypto/rand"
	"fmt"
	"runtime"
	"time"

	"fount"
	"fount/cmd/internal/lab/measure"
	"fount/internal/blowfish"
	"fount/internal/cputime"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
)

// Costs has the costs of calls and of their replacements, on one core of this machine.
type Costs struct {
	Draw   Change `json:"crypto_rand_16"` // 16 bytes of crypto/rand, and of fount
	UUID   Change `json:"uuid"`           // of google/uuid, and of fount
	Bcrypt Change `json:"bcrypt"`         // one, and one of several in lanes, of cost 6

	Share measure.Share `json:"core_share"` // while they were measured
}

// A Change has the cost of a call and of its replacement, in core ns: the minimum of the rounds.
type Change struct {
	From float64 `json:"ns"`
	To   float64 `json:"own_ns"`
}

// saves returns the share of the cost that the change saves.
func (c Change) saves() float64 { return max(0, 1-c.To/c.From) }

// Measure measures all costs, in a second.
func Measure() *Costs {
	hash, err := bcrypt.GenerateFromPassword([]byte("password"), 6)
	if err != nil {
		panic(err) // its arguments are constants
	}

	engine := new(blowfish.Engine)
	lanes := make([]*blowfish.Lane, blowfish.MaxLanes)
	for i := range lanes {
		lanes[i] = &blowfish.Lane{Key: fmt.Appendf(nil, "password %d\x00", i)}
	}

	c := new(Costs)
	meter := measure.Start()
	takeTurns([]timed{
		{ns: &c.Draw.From, call: func() { rand.Read(kept.bytes[:]) }},
		{ns: &c.Draw.To, call: func() { fount.Read(kept.bytes[:]) }},
		{ns: &c.UUID.From, call: func() { kept.id = uuid.New() }},
		{ns: &c.UUID.To, call: func() { kept.id = uuid.UUID(fount.NewUUID()) }},
		{ns: &c.Bcrypt.From, call: func() { _ = bcrypt.CompareHashAndPassword(hash, []byte("password")) }},
		{ns: &c.Bcrypt.To, call: func() { engine.Run(6, lanes) }},
	})
	c.Bcrypt.To /= blowfish.MaxLanes
	c.Share = meter.Share()
	return c
}

// kept has what is made, as a program would: else the compiler might leave the calls out.
var kept struct {
	bytes [16]byte
	id    uuid.UUID
}

// A timed is a call, and where its cost goes.
type timed struct {
	call func()
	ns   *float64
}

// takeTurns times the calls by turns, and keeps the least of each: more is the machine's.
func takeTurns(calls []timed) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	for round := range 20 {
		for _, c := range calls {
			if ns := nsOf(c.call); round == 0 || ns < *c.ns {
				*c.ns = ns
			}
		}
	}
}

// nsOf returns the mean time of a call in ns, of as many as take 5 ms of this thread's CPU time.
func nsOf(call func()) float64 {
	start := cputime.Thread()
	n := 0
	for {
		for range min(1000, n+1) { // one at first, as a hash takes long
			call()
			n++
		}
		if took := cputime.Thread() - start; took >= 5*time.Millisecond {
			return float64(took) / float64(n)
		}
	}
}
