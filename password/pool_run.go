// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What a worker of the Pool does, and how long the scheduler believes it takes.

import (
	"strconv"
	"time"

	"fount/internal/blowfish"
	"fount/password/internal/sched"
)

// A call is one Verify or Hash on its way through the pool.
type call struct {
	task    sched.Task
	work    work
	lane    blowfish.Lane // for a bcrypt
	unknown bool          // nobody has this password
	filler  bool          // nothing is compared: it takes the time of another policy's
	hash    bool          // a new hash is to be made

	result  Result
	encoded string
	err     error
}

// What a call can come to, as the scheduler counts it.
const (
	matched = iota
	mismatched
	unknownUser
	hashed
	filled
)

// describe tells the scheduler what the work is.
func (c *call) describe() {
	w := &c.work
	c.task.Kind = kindOf(w)
	c.task.Units = w.units
	c.task.Memory = w.memory
	c.task.Threads = w.threads
	c.task.Batch = w.alg == Bcrypt && len(w.hash.Salt) == len(c.lane.Salt)
	c.task.Payload = c
}

// kindOf returns what works have in common that take equally long.
func kindOf(w *work) sched.Kind {
	h := &w.hash
	k := sched.Kind{Algorithm: uint8(w.alg)}
	switch w.alg {
	case Bcrypt:
		k.Cost[0] = h.Cost
	case Argon2id, Argon2i, Argon2d:
		k.Cost = [3]uint32{h.Memory, h.Iterations, h.Parallelism}
	case Scrypt:
		k.Cost = [3]uint32{h.Cost, h.BlockSize, h.Parallelism}
	case Foreign:
		k.Cost = [3]uint32{w.foreign.form, w.foreign.Cost, w.foreign.class}
	default:
		k.Cost[0] = h.Iterations
	}
	return k
}

// costString returns the parameters of a kind as stored hashes write them, and of a
// Format's its name, its cost, and by how many doublings the password's length adds
// to its time. Zeros stand for several together.
func costString(k sched.Kind) string { return string(appendCost(nil, k)) }

// appendCost appends costString to b.
func appendCost(b []byte, k sched.Kind) []byte {
	names := []string{"m=", ",t=", ",p="}
	switch alg := Algorithm(k.Algorithm); {
	case k.Cost == [3]uint32{}:
		return append(b, "other"...)
	case alg == Bcrypt:
		names = []string{""}
	case alg == Scrypt:
		names = []string{"ln=", ",r=", ",p="}
	case alg == PBKDF2SHA256 || alg == PBKDF2SHA512:
		names = []string{"i="}
	case alg == Foreign:
		return appendForeign(b, k)
	}
	for i, name := range names {
		b = strconv.AppendUint(append(b, name...), uint64(k.Cost[i]), 10)
	}
	return b
}

func appendForeign(b []byte, k sched.Kind) []byte {
	b = strconv.AppendUint(append(append(b, formName(k.Cost[0])...), ','), uint64(k.Cost[1]), 10)
	if k.Cost[2] > 0 {
		b = strconv.AppendUint(append(b, ",long="...), uint64(k.Cost[2]), 10)
	}
	return b
}

// startApart runs f on a goroutine that has nothing of the caller's. A go statement
// hands down what rides on a goroutine: its profiler labels, which may name the caller's
// user, and what crypto/fips140 and crypto/subtle set. A timer's goroutine has no parent.
func startApart(f func()) { time.AfterFunc(0, f) }

// run computes what a worker has in hand: one call, or several bcrypts of one
// cost side by side. A bcrypt alone goes the same way.
func (p *Pool) run(slot int, tasks []*sched.Task) {
	if tasks[0].Batch {
		p.runBcrypts(slot, tasks)
		return
	}
	for _, t := range tasks {
		p.runAlone(t.Payload.(*call))
	}
}

func (p *Pool) runAlone(c *call) {
	w := &c.work
	w.threads, w.gone = c.task.Granted, c.task.Gone
	if w.memory > 0 {
		loan := p.memory.take(w.memory)
		defer p.memory.give(loan)
		w.scratch = &loan.scratch
	}
	if sum := w.sum(); sum != nil {
		c.conclude(sum)
	}
	w.wipe()
}

func (p *Pool) runBcrypts(slot int, tasks []*sched.Task) {
	var lanes [blowfish.MaxLanes]*blowfish.Lane
	for i, t := range tasks {
		c := t.Payload.(*call)
		c.lane.Key = c.work.key
		c.lane.Salt = [16]byte(c.work.hash.Salt)
		c.lane.Gone = t.Gone
		lanes[i] = &c.lane
	}
	first := tasks[0].Payload.(*call)
	p.engine(slot).Run(int(first.work.hash.Cost), lanes[:len(tasks)])
	for _, t := range tasks {
		c := t.Payload.(*call)
		if c.lane.Done {
			c.conclude(c.lane.Sum[:])
		}
		c.lane.Sum = [23]byte{}
		c.work.wipe()
	}
}

// conclude turns the computed sum into the call's answer.
func (c *call) conclude(sum []byte) {
	switch {
	case c.hash:
		c.encoded = c.work.encode(sum)
		c.task.Outcome = hashed
	default:
		c.result, c.err = c.work.check(sum)
		switch {
		case c.filler:
			c.task.Outcome = filled
		case c.unknown:
			c.task.Outcome = unknownUser
		case c.err != nil:
			c.task.Outcome = mismatched
		}
	}
}

// engine returns the slot's engine. Two workers never have one slot at a time.
func (p *Pool) engine(slot int) *blowfish.Engine {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.engines) <= slot {
		p.engines = append(p.engines, blowfish.New())
	}
	return p.engines[slot]
}

// reference is how long hashes took, the best of 12 in turns, on one core of the machine
// that this project is measured on (Sapphire Rapids, so argon2 and scrypt in AVX-512). Only their
// ratios are used.
var reference = []referenceHash{
	{Policy{Algorithm: Bcrypt, Cost: 10}, 81 * time.Millisecond},
	{Policy{Algorithm: Argon2id, Memory: 19456, Iterations: 2, Parallelism: 1}, 10_800 * time.Microsecond},
	{Policy{Algorithm: Scrypt, Cost: 15, BlockSize: 8, Parallelism: 1}, 63 * time.Millisecond},
	{Policy{Algorithm: PBKDF2SHA256, Iterations: 600_000}, 169 * time.Millisecond},
	{Policy{Algorithm: PBKDF2SHA512, Iterations: 220_000}, 230 * time.Millisecond},
}

type referenceHash struct {
	policy Policy
	took   time.Duration
}

// foreignUnit is how long a nanosecond of Parsed.Time takes there, in nanoseconds: a bcrypt of cost 10
// takes 81 ms, and 54 where Time is told.
const foreignUnit = 81. / 54

// seed measures one hash of the policy and tells the scheduler what to believe
// before it has seen more: of the policy's algorithm what was measured, of the
// others the same ratio to the reference. Each is corrected by what it takes. Stats lists from then on the kinds
// that are sure to come.
func (p *Pool) seed(dummy *work) {
	d := call{work: *dummy, unknown: true}
	d.describe()
	d.task.Granted = min(max(dummy.threads, 1), p.sched.Stats().Workers)
	began := time.Now()
	p.run(0, []*sched.Task{&d.task})
	took := time.Since(began)

	ratio := 1.0
	units := map[Algorithm]float64{} // ns of the reference for each
	for _, r := range reference {
		units[r.policy.Algorithm] = float64(r.took) / r.policy.units()
	}
	units[Argon2i], units[Argon2d] = units[Argon2id], units[Argon2id]
	units[Foreign] = foreignUnit
	own := float64(took) / dummy.units
	if u := units[dummy.alg]; u > 0 {
		ratio = own / u
	}
	for alg, unit := range units {
		if alg != dummy.alg {
			p.sched.Seed(uint8(alg), time.Duration(unit*ratio*1e6), 1e6)
		}
	}
	p.sched.Seed(uint8(dummy.alg), took, dummy.units)
	for _, t := range append([]*sched.Task{&d.task}, p.stages[0].rest...) {
		p.sched.Expect(t)
	}
}
