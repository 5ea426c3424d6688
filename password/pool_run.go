// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// What a worker of the Pool does, and how long the scheduler believes it takes.

import (
	"context"
	"fmt"
	"runtime/pprof"
	"time"

	"fount/internal/blowfish"
	"fount/password/internal/format"
)

// A call is what one Verify or Hash computes.
type call struct {
	task  task
	works []work        // of its stages
	place int           // of the one that is compared: the others take the time of other hashes
	rest  uint32        // iterations of PBKDF2 for nothing, if the password is wrong there
	lane  blowfish.Lane // for a bcrypt
	hash  bool          // a new hash is to be made

	result  Result
	encoded string
	err     error
}

// callOf returns a call of works, one after the other.
func callOf(works []work, place int) *call {
	c := &call{works: works, place: place}
	for i := range works {
		c.task.stages = append(c.task.stages, effortOf(&works[i]))
	}
	c.task.call = c
	return c
}

// effortOf tells the queue what the work is.
func effortOf(w *work) effort {
	return effort{kind: kindOf(w), units: w.units, memory: w.memory, batch: w.alg == Bcrypt && len(w.hash.Salt) == 16}
}

// wipe wipes what is left of the call's copies of the password.
func (c *call) wipe() {
	for i := range c.works {
		c.works[i].wipe()
	}
}

// A kindID is what hashes that take equally long have in common: an algorithm and its parameters.
type kindID struct {
	algorithm Algorithm
	form      string // of a Format
	cost      [3]uint32
}

func kindOf(w *work) kindID {
	h := &w.hash
	k := kindID{algorithm: w.alg}
	switch w.alg {
	case Bcrypt:
		k.cost[0] = h.Cost
	case Argon2id, Argon2i, Argon2d:
		k.cost = [3]uint32{h.Memory, h.Iterations, h.Parallelism}
	case Scrypt:
		k.cost = [3]uint32{h.Cost, h.BlockSize, h.Parallelism}
	case Foreign:
		k.form, k.cost = w.foreign.form, [3]uint32{w.foreign.Cost, w.foreign.class}
	default:
		k.cost[0] = h.Iterations
	}
	return k
}

// names returns what Stats calls a kind: its algorithm, and its parameters as stored hashes write
// them, of a Format its form, its cost, and by how many doublings the password's length adds to its
// time. Zeros stand for several together.
func (k kindID) names() (algorithm, cost string) {
	alg, c := k.algorithm, k.cost
	switch {
	case k.form != "" && c[1] > 0:
		cost = fmt.Sprintf("%s,%d,long=%d", k.form, c[0], c[1])
	case k.form != "":
		cost = fmt.Sprintf("%s,%d", k.form, c[0])
	case c == [3]uint32{}:
		cost = "other"
	case alg.argon2():
		cost = fmt.Sprintf("m=%d,t=%d,p=%d", c[0], c[1], c[2])
	case alg == Scrypt:
		cost = fmt.Sprintf("ln=%d,r=%d,p=%d", c[0], c[1], c[2])
	case alg == Bcrypt:
		cost = fmt.Sprint(c[0])
	default:
		cost = fmt.Sprintf("i=%d", c[0])
	}
	return alg.String(), cost
}

// run computes a stage of what a worker has in hand: one call, or several of the same work. While
// it does, its goroutine has the profiler label of the algorithm. A bcrypt alone goes the same way.
func (p *Pool) run(stage int, tasks []*task, answers []Outcome) {
	kind := tasks[0].stages[stage]
	pprof.SetGoroutineLabels(labels[kind.kind.algorithm])
	defer pprof.SetGoroutineLabels(context.Background())
	if kind.batch {
		runBcrypts(stage, tasks, answers)
		return
	}
	for i, t := range tasks {
		answers[i] = p.runAlone(t.call, stage)
	}
}

// labels are all that there are, by algorithm. They are made once, so that setting one stores a
// pointer.
var labels = func() (made [len(algorithmNames)]context.Context) {
	for a := 1; a < len(algorithmNames); a++ {
		made[a] = pprof.WithLabels(context.Background(), pprof.Labels("algorithm", algorithmNames[a]))
	}
	return made
}()

func (p *Pool) runAlone(c *call, stage int) Outcome {
	w := &c.works[stage]
	w.threads, w.gone = 1, c.task.isGone
	if w.memory > 0 {
		w.scratch = p.memory.take(w.memory)
		defer p.memory.give(w.scratch)
	}
	return c.conclude(stage, w.sum())
}

func runBcrypts(stage int, tasks []*task, answers []Outcome) {
	var lanes [blowfish.MaxLanes]*blowfish.Lane
	for i, t := range tasks {
		c := t.call
		w := &c.works[stage]
		c.lane = blowfish.Lane{Key: w.key, Salt: [16]byte(w.hash.Salt), Gone: t.isGone}
		lanes[i] = &c.lane
	}
	e := engines.Get().(*blowfish.Engine)
	e.Run(int(tasks[0].call.works[stage].hash.Cost), lanes[:len(tasks)])
	engines.Put(e)
	for i, t := range tasks {
		c := t.call
		var sum []byte
		if c.lane.Done {
			sum = c.lane.Sum[:]
		}
		answers[i] = c.conclude(stage, sum)
		c.lane = blowfish.Lane{}
	}
}

// conclude turns a stage's sum into the call's answer, if it is that. A sum of nil was given up.
func (c *call) conclude(stage int, sum []byte) (answer Outcome) {
	w := &c.works[stage]
	defer w.wipe()
	switch {
	case sum == nil:
		return ""
	case c.hash:
		c.encoded = w.encode(sum)
		return OutcomeHashed
	case stage == c.place:
		if c.result, c.err = w.check(sum); c.err == nil {
			if c.rest > 0 { // too little was computed to tell how long all takes
				c.task.stages[stage].units = 0
			}
			c.wipe() // its time reveals nothing to anyone who knows the password
			return OutcomeMatch
		}
		if c.rest > 0 {
			w.hash.Iterations, w.hash.Sum = c.rest, w.hash.Sum[:format.MinSum]
			if w.pbkdf2Sum() == nil {
				return ""
			}
		}
	}
	switch {
	case stage < len(c.works)-1:
		return ""
	case c.works[c.place].dummy:
		return OutcomeUnknown
	}
	return OutcomeMismatch
}

// seed measures one hash of the policy, and returns how many nanoseconds a unit of each algorithm
// is believed to take before more is known: that the machine is as much faster or slower in all as
// in that than usual. The first of each algorithm corrects it.
func (p *Pool) seed(dummy *work) map[Algorithm]float64 {
	d := callOf([]work{*dummy}, 0)
	began := time.Now()
	p.run(0, []*task{&d.task}, make([]Outcome, 1))
	ratio := float64(time.Since(began)) / (dummy.units * usual(dummy.alg))
	units := map[Algorithm]float64{Foreign: ratio / 1e9}
	for alg := Bcrypt; alg < Foreign; alg++ {
		units[alg] = ratio * usual(alg)
	}
	return units
}

// usually is took on a processor with AVX.
func (w *work) usually() time.Duration {
	if w.alg == Foreign {
		return w.took()
	}
	return time.Duration(min(w.units*usual(w.alg)*1e9, longest))
}

// usual is how many seconds a unit takes on a processor with AVX that computes a bcrypt of cost 10
// in 54 ms. By Limits' figures, of portable code, estimates would be up to 6 times off.
func usual(a Algorithm) float64 {
	switch {
	case a.argon2():
		return unitSeconds(a) / 5
	case a == Scrypt:
		return unitSeconds(a) / 2
	case a == PBKDF2SHA256:
		return unitSeconds(a) / 3
	}
	return unitSeconds(a)
}
