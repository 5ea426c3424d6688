// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"runtime/pprof"
	"time"

	"fount/internal/blowfish"
)

// callOf returns a call of works, one after the other.
func callOf(works []work, place int) *call {
	c := &call{works: works, place: place}
	c.task.stages = c.first[:0]
	for i := range works {
		c.task.stages = append(c.task.stages, works[i].need)
	}
	c.task.call = c
	return c
}

// wipe wipes what is left of the call's copies of the password.
func (c *call) wipe() {
	for i := range c.works {
		c.works[i].wipe()
	}
}

// run computes a stage of what a worker has in hand: one call, or several of the same work. Its
// goroutine has the profiler label of the algorithm, to its end or the next stage. A bcrypt alone
// goes the same way.
func (s *store) run(stage int, tasks []*task, answers []Outcome) {
	need := &tasks[0].stages[stage]
	pprof.SetGoroutineLabels(labels[need.kind.algorithm])
	if need.batch {
		runBcrypts(stage, tasks, answers)
		return
	}
	for i, t := range tasks {
		answers[i] = s.runAlone(t.call, stage)
	}
}

// labels are all that there are, by algorithm. They are made once, so that setting one stores a
// pointer.
var labels = func() (made [len(algorithms)]context.Context) {
	for a := 1; a < len(algorithms); a++ {
		made[a] = pprof.WithLabels(context.Background(), pprof.Labels("algorithm", algorithms[a].name))
	}
	return made
}()

func (s *store) runAlone(c *call, stage int) Outcome {
	w := &c.works[stage]
	w.threads, w.gone = 1, c.task.isGone
	if w.need.memory > 0 {
		w.scratch = s.take(w.need.memory)
		defer s.give(w.scratch)
	}
	return c.conclude(stage, w.compute())
}

func runBcrypts(stage int, tasks []*task, answers []Outcome) {
	var lanes [blowfish.MaxLanes]*blowfish.Lane
	for i, t := range tasks {
		w := &t.call.works[stage]
		w.gone = t.isGone
		t.call.lane = laneOf(w)
		lanes[i] = &t.call.lane
	}
	runLanes(&tasks[0].call.works[stage], lanes[:len(tasks)])
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
		c.encoded = w.text(sum)
		return OutcomeHashed
	case stage == c.place:
		part := w.need.grows && c.units > w.need.units
		if c.result, c.err = w.check(sum); c.err == nil {
			if part { // too little was computed to tell how long all takes
				c.task.stages[stage].units = 0
			}
			c.wipe() // its time reveals nothing to anyone who knows the password
			return OutcomeMatch
		}
		if part && w.goOn(c.units) == nil {
			return ""
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
func seed(dummy *work) map[Algorithm]float64 {
	dummy.threads = 1
	began := time.Now()
	dummy.compute()
	ratio := float64(time.Since(began)) / (dummy.need.units * algorithms[dummy.need.kind.algorithm].usual)
	units := map[Algorithm]float64{Foreign: ratio / 1e9}
	for alg := Bcrypt; alg < Foreign; alg++ {
		units[alg] = ratio * algorithms[alg].usual
	}
	return units
}
