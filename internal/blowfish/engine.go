// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package blowfish computes several bcrypts side by side on one core. It is not a password hash to
// call by itself: package password parses, guards, compares and decides how many at once.
//
// One bcrypt is a chain of table lookups in which each waits for the one before, so most of a core
// stands idle. Lanes are independent bcrypts whose chains share one loop, and fill it.
package blowfish

import (
	"encoding/binary"
	"fmt"

	"fount/internal/turn"
)

//go:generate env GOWORK=off go run -C _gen .

// The costs that bcrypt knows: 1<<cost pairs of key schedules.
const (
	MinCost = 4
	MaxCost = 31
)

// MaxLanes is the most lanes that run side by side. Six took more time for each hash than five on
// both machines measured.
const MaxLanes = 5

// A Lane is one bcrypt to compute. It must not be touched while Run has it.
type Lane struct {
	Key  []byte      // the password and a NUL, 1 to 73 bytes, of which 72 have influence
	Salt [16]byte    // decoded
	Gone func() bool // whether nobody waits any more; asked at each yield, so cheap; nil: never

	Sum  [23]byte // the hash, when Done
	Done bool     // set by Run; false: given up
}

// An Engine computes bcrypts side by side. The zero Engine is ready. Its memory, 21 KB, is reused
// from Run to Run and holds nothing in between. One goroutine at a time may use it, and a Gone must
// not.
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

// Run computes the bcrypts of lanes, 1 to MaxLanes, all of one cost, MinCost to MaxCost, and
// returns when each is done or given up: one whose Gone says so, or whose Key is empty. No lane has
// influence on another. Run allocates nothing, and wipes what it kept of keys, salts and states
// before it returns, also when a Gone panics; what the compiler spilled to the stack is out of its
// reach.
//
// It yields the processor about each half millisecond, and at least each millisecond where a pair
// of key schedules takes no more than 0.6 ms, or as seldom as the others who have the processor
// meanwhile, as package turn does.
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

// yield lets other goroutines run, then gives up the lanes that nobody waits for.
func (e *Engine) yield() {
	e.turn.Yield()
	for i := e.n - 1; i >= 0; i-- {
		if !e.lanes[i].gone() {
			continue
		}
		e.n--
		last := e.n // it takes the place
		e.lanes[i], e.lanes[last] = e.lanes[last], nil
		copy(e.states[i][:], e.states[last][:])
		e.keys[i], e.salts[i] = e.keys[last], e.salts[last]
	}
}

func (l *Lane) gone() bool { return l.Gone != nil && l.Gone() }

// wipe forgets everything, out of line so that the compiler does not drop the writes.
//
//go:noinline
func (e *Engine) wipe() { *e = Engine{} }

// expand is Blowfish's key schedule in all lanes in work: the words of w into the subkeys, then
// each word of a state, from the first, replaced by encrypting, two by two, the two before,
// beginning with zeros.
func (e *Engine) expand(w *schedules) {
	for i := range e.n {
		for j := range w[i] {
			e.states[i][j] ^= w[i][j]
		}
	}
	kernels[e.n](&e.states)
}

// A kernel replaces the words of the first k states: 26 µs for one, 43 µs for five, in which
// assembly can't be preempted.
type kernel func(s *states)

// inGo are the kernels for any processor, by k.
var inGo = [MaxLanes + 1]kernel{1: expand1, 2: expand2, 3: expand3, 4: expand4, 5: expand5}

// kernels are those for this processor.
var kernels, _ = forThisCPU()

// The words of a state: eighteen subkeys, then four tables of 256, in the order of the key
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

// A schedule is a key or a salt as the subkeys take it: its bytes, repeated, as eighteen big-endian
// words.
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

// f is the round function: a lookup in each table by one byte of x.
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

// start sets s to bcrypt's first state: the initial one after a key schedule that mixes the salt
// into what it encrypts (Provos and Mazières, "A Future-Adaptable Password Scheme", 1999, section
// 4). It happens once in a hash, so one lane at a time will do.
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

// sum writes the hash: magic, each block encrypted 64 times, without its last byte.
func (s *state) sum(dst *[23]byte) {
	var text [len(magic)]byte
	for i := 0; i < len(magic); i += 8 {
		l, r := binary.BigEndian.Uint32([]byte(magic[i:])), binary.BigEndian.Uint32([]byte(magic[i+4:]))
		for range 64 {
			l, r = s.encrypt(l, r)
		}
		binary.BigEndian.PutUint32(text[i:], l)
		binary.BigEndian.PutUint32(text[i+4:], r)
	}
	copy(dst[:], text[:])
}
