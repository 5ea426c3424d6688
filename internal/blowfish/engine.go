// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package blowfish

import (
	"fmt"

	"fount/internal/turn"
)

// The costs that bcrypt knows: 1<<cost pairs of key schedules.
const (
	MinCost = 4
	MaxCost = 31
)

// A Lane is one bcrypt to compute. It must not be touched while Run has it.
type Lane struct {
	Key  []byte      // the password and a NUL, 1 to 73 bytes; those after the 72nd have no influence
	Salt [16]byte    // decoded
	Gone func() bool // whether nobody waits any more; asked at each yield, so cheap; nil: never

	Sum  [23]byte // the hash, when Done
	Done bool     // set by Run; false: given up
}

// An Engine computes bcrypts side by side. Its memory is reused from Run to
// Run and holds nothing in between. One goroutine at a time may use it, and
// a Gone must not.
type Engine struct {
	states states
	keys   schedules
	salts  schedules
	lanes  [MaxLanes]*Lane
	n      int // lanes in work, the first of each array

	turn turn.Turn // its unit is a pair of key schedules: 0.05 ms for one lane, 0.09 ms for five
}

type (
	states    [MaxLanes]state
	schedules [MaxLanes]schedule
)

// New returns an Engine. It takes 21 KB.
func New() *Engine { return new(Engine) }

// Run computes the bcrypts of lanes, 1 to MaxLanes, all of one cost, MinCost
// to MaxCost, and returns when each is done or given up: one whose Gone says
// so, or whose Key is empty. No lane has influence on another. Run allocates
// nothing, and wipes what it kept of keys, salts and states before it returns,
// also when a Gone panics; what the compiler spilled to the stack is out of
// its reach.
//
// It yields the processor about each half millisecond, and at least each
// millisecond where a pair of key schedules takes no more than 0.6 ms, or as seldom as the others who
// have the processor meanwhile, as package turn does.
func (e *Engine) Run(cost int, lanes []*Lane) {
	if cost < MinCost || cost > MaxCost {
		panic(fmt.Sprintf("blowfish: cost %d is not in %d to %d", cost, MinCost, MaxCost))
	}
	if len(lanes) > MaxLanes {
		panic(fmt.Sprintf("blowfish: %d lanes are more than %d", len(lanes), MaxLanes))
	}
	defer e.wipe()
	for _, lane := range lanes {
		e.take(lane)
	}
	e.turn.Start(1, nil)
	for n := uint64(1) << cost; n > 0 && e.n > 0; n-- {
		e.expand(&e.keys)
		e.expand(&e.salts)
		if e.turn.Over(1) {
			e.yield()
		}
	}
	for i, lane := range e.lanes[:e.n] {
		e.states[i].sum(&lane.Sum)
		lane.Done = true
	}
}

// take starts a lane next to those in work.
func (e *Engine) take(lane *Lane) {
	lane.Done = false
	if len(lane.Key) == 0 || lane.gone() {
		return
	}
	i := e.n
	e.n++
	e.lanes[i] = lane
	e.keys[i].set(lane.Key)
	e.salts[i].set(lane.Salt[:])
	e.states[i].start(&e.keys[i], &e.salts[i])
}

// yield is Turn's, and nothing in the control of a benchmark.
var yield = (*turn.Turn).Yield

// yield lets other goroutines run, then gives up the lanes that nobody waits
// for.
func (e *Engine) yield() {
	yield(&e.turn)
	for i := e.n - 1; i >= 0; i-- {
		if e.lanes[i].gone() {
			e.drop(i)
		}
	}
}

// drop gives up lane i: the last one takes its place.
func (e *Engine) drop(i int) {
	e.n--
	last := e.n
	e.lanes[i], e.lanes[last] = e.lanes[last], nil
	copy(e.states[i][:], e.states[last][:])
	e.keys[i], e.salts[i] = e.keys[last], e.salts[last]
}

func (l *Lane) gone() bool { return l.Gone != nil && l.Gone() }

// wipe forgets everything. It is kept out of line so that the compiler can't
// see that nobody reads the memory afterwards and drop the writes.
//
//go:noinline
func (e *Engine) wipe() { *e = Engine{} }
