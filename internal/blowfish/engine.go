// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package blowfish computes several bcrypts side by side on one core. Package password parses and
// compares the hashes, and decides how many to run at once.
//
// A bcrypt is a chain of table lookups, each of which waits for the one before, so that most of a
// core is idle. Several independent bcrypts, called lanes, run in one loop and use the core fully.
package blowfish

import (
	"encoding/binary"
	"fmt"

	"fount/internal/erase"
	"fount/internal/turn"
)

//go:generate env GOWORK=off go run -C _gen .

// The costs that bcrypt allows. It computes 1<<cost pairs of key schedules.
const (
	MinCost = 4
	MaxCost = 31
)

// MaxLanes is the largest number of lanes. Six took longer for each hash than five on both machines
// measured.
const MaxLanes = 5

// A Lane is one bcrypt to compute. It must not be touched while Run has it.
type Lane struct {
	Key  []byte      // the password and a NUL: 1 to 73 bytes, of which 72 count
	Salt [16]byte    // decoded
	Gone func() bool // reports whether to give up, at each yield, so it must be cheap; may be nil

	Sum  [23]byte // the hash, if Done
	Done bool     // set by Run; false if given up
}

// An Engine computes bcrypts side by side. The zero Engine is ready for use. Only one goroutine at
// a time may use it, and a Gone must not. Its memory, 21 KB, holds no secrets between calls of Run.
type Engine struct {
	states states
	keys   schedules
	salts  schedules
	lanes  [MaxLanes]*Lane
	n      int // number of running lanes, the first of each array

	turn turn.Turn // a unit is a pair of key schedules: 0.05 ms for one lane, 0.09 ms for five
}

type (
	states    [MaxLanes]state
	schedules [MaxLanes]schedule
)

// Run computes the bcrypts of 1 to MaxLanes lanes, all with the same cost, MinCost to MaxCost. It
// returns when each is done or given up: because its Gone reports true, or its Key is empty. Lanes
// don't influence each other. Run allocates nothing. Before it returns, also if a Gone panics, it
// wipes its keys, salts and states, but not what the compiler has spilled to the stack.
//
// It yields about each half millisecond, as package turn does: at least each millisecond if a pair
// of key schedules takes up to 0.6 ms, or less often while others compute too.
func (e *Engine) Run(cost int, lanes []*Lane) {
	if cost < MinCost || cost > MaxCost {
		panic(fmt.Sprintf("blowfish: cost %d is not in %d to %d", cost, MinCost, MaxCost))
	}
	if len(lanes) > MaxLanes {
		panic(fmt.Sprintf("blowfish: %d lanes are more than %d", len(lanes), MaxLanes))
	}
	defer erase.Value(e)

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

// take starts a lane beside the running ones.
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

// yield lets other goroutines run, and then removes the lanes that are given up.
func (e *Engine) yield() {
	e.turn.Yield()

	for i := e.n - 1; i >= 0; i-- {
		if !e.lanes[i].gone() {
			continue
		}

		e.n--
		last := e.n // the last lane moves to i
		e.lanes[i] = e.lanes[last]
		e.lanes[last] = nil
		copy(e.states[i][:], e.states[last][:])
		e.keys[i] = e.keys[last]
		e.salts[i] = e.salts[last]
	}
}

func (l *Lane) gone() bool { return l.Gone != nil && l.Gone() }

// expand runs Blowfish's key schedule in all running lanes: it adds the words of w to the subkeys,
// and then replaces the words of each state, two at a time, by the encryption of the two before.
// The first two are the encryption of zeros.
func (e *Engine) expand(w *schedules) {
	for i := range e.n {
		for j := range w[i] {
			e.states[i][j] ^= w[i][j]
		}
	}
	kernels[e.n](&e.states)
}

// A kernel replaces the words of the first k states. It takes 26 µs for one and 43 µs for five; in
// assembly it can't be preempted.
type kernel func(s *states)

// inGo has the kernels for any processor, by k.
var inGo = [MaxLanes + 1]kernel{1: expand1, 2: expand2, 3: expand3, 4: expand4, 5: expand5}

// kernels has the kernels for this processor, by k.
var kernels, _ = forThisCPU()

// Where a state's words are: eighteen subkeys, and four tables of 256, in the order of the key
// schedule.
const (
	subkeys = 18
	box0    = subkeys
	box1    = box0 + 256
	box2    = box1 + 256
	box3    = box2 + 256
	words   = box3 + 256
)

// A state is a Blowfish cipher under a key (Schneier, "Description of a New Variable-Length Key,
// 64-Bit Block Cipher (Blowfish)", 1993).
type state [words]uint32

// A schedule is a key or a salt as it is added to the subkeys: its bytes, repeated, as eighteen
// big-endian words.
type schedule [subkeys]uint32

// set repeats b, which must not be empty, over the schedule.
func (w *schedule) set(b []byte) {
	j := 0
	for i := range w {
		for range 4 {
			w[i] = w[i]<<8 | uint32(b[j])
			j = (j + 1) % len(b)
		}
	}
}

// f is Blowfish's round function: a lookup in each table by one byte of x.
func (s *state) f(x uint32) uint32 {
	return ((s[box0+uint(x>>24)] + s[box1+uint(byte(x>>16))]) ^ s[box2+uint(byte(x>>8))]) + s[box3+uint(byte(x))]
}

func (s *state) encrypt(l, r uint32) (uint32, uint32) {
	l ^= s[0]
	for i := 1; i < 17; i += 2 {
		r ^= s.f(l) ^ s[i]
		l ^= s.f(r) ^ s[i+1]
	}
	return r ^ s[17], l
}

// start sets s to bcrypt's first state: the initial one after a key schedule that adds the salt to
// what it encrypts (Provos and Mazières, "A Future-Adaptable Password Scheme", 1999, section 4). It
// runs once in a hash, and so in one lane at a time.
func (s *state) start(key, salt *schedule) {
	*s = initial
	for i := range key {
		s[i] ^= key[i]
	}

	var l, r uint32
	for n := 0; n < words; n += 2 {
		l, r = s.encrypt(l^salt[n%4], r^salt[n%4+1])
		s[n], s[n+1] = l, r
	}
}

// magic is the plain text that bcrypt encrypts at the end.
const magic = "OrpheanBeholderScryDoubt"

// sum sets dst to the hash: magic, with each block encrypted 64 times, without the last byte.
func (s *state) sum(dst *[23]byte) {
	var text [len(magic)]byte
	for i := 0; i < len(magic); i += 8 {
		l := binary.BigEndian.Uint32([]byte(magic[i:]))
		r := binary.BigEndian.Uint32([]byte(magic[i+4:]))
		for range 64 {
			l, r = s.encrypt(l, r)
		}

		binary.BigEndian.PutUint32(text[i:], l)
		binary.BigEndian.PutUint32(text[i+4:], r)
	}
	copy(dst[:], text[:])
}
