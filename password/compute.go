// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"runtime/pprof"
	"time"

	"fount/internal/blowfish"
)

// A call has the jobs of one Verify or Hash, and its answer.
type call struct {
	task         task
	jobs         []job         // one for each stage
	first        [1]effort     // saves an allocation where there is one stage
	compared     int           // the stage with the stored hash; the others only take time
	unitsIfWrong float64       // work of that stage if the password is wrong
	lane         blowfish.Lane // for a bcrypt
	isHash       bool          // Hash called, not Verify

	result  Result
	encoded string
	err     error
}

// newCall returns a call with a stage for each job. compared is the stage of the stored hash.
func newCall(jobs []job, compared int) *call {
	c := &call{jobs: jobs, compared: compared}
	c.task.stages = c.first[:0]
	for i := range jobs {
		c.task.stages = append(c.task.stages, jobs[i].need)
	}
	c.task.call = c
	return c
}

// wipe wipes what is left of the call's copies of the password.
func (c *call) wipe() {
	for i := range c.jobs {
		c.jobs[i].wipe()
	}
}

// run computes a stage of a batch, and sets the answers that are known after it. It sets the
// goroutine's profiler label to the algorithm.
func (p *Pool) run(stage int, tasks []*task, answers []Outcome) {
	need := &tasks[0].stages[stage]
	pprof.SetGoroutineLabels(labels[need.kind.algorithm])

	if need.batches {
		runBcrypts(stage, tasks, answers)
		return
	}
	for i, t := range tasks {
		answers[i] = p.runAlone(t.call, stage)
	}
}

// labels are the profiler labels by algorithm, made once, so that setting one only stores a
// pointer.
var labels = func() (made [len(algorithms)]context.Context) {
	for a := 1; a < len(algorithms); a++ {
		made[a] = pprof.WithLabels(context.Background(), pprof.Labels("algorithm", algorithms[a].name))
	}
	return made
}()

func (p *Pool) runAlone(c *call, stage int) Outcome {
	j := &c.jobs[stage]
	j.threads = 1
	j.gone = c.task.isGone
	if j.need.memory > 0 {
		j.scratch = p.memory.take(j.need.memory)
		defer p.memory.give(j.scratch)
	}
	return c.answer(stage, j.compute())
}

func runBcrypts(stage int, tasks []*task, answers []Outcome) {
	var lanes [blowfish.MaxLanes]*blowfish.Lane
	for i, t := range tasks {
		j := &t.call.jobs[stage]
		j.gone = t.isGone
		t.call.lane = laneOf(j)
		lanes[i] = &t.call.lane
	}

	runLanes(&tasks[0].call.jobs[stage], lanes[:len(tasks)])

	for i, t := range tasks {
		c := t.call
		var sum []byte
		if c.lane.Done {
			sum = c.lane.Sum[:]
		}
		answers[i] = c.answer(stage, sum)
		c.lane = blowfish.Lane{}
	}
}

// answer compares a stage's sum, and returns the call's outcome if it is known now. The sum is nil
// if the job was given up, or has failed.
func (c *call) answer(stage int, sum []byte) Outcome {
	j := &c.jobs[stage]
	defer j.wipe()

	switch {
	case sum == nil && j.failed == nil:
		return ""
	case c.isHash:
		c.encoded = j.text(sum)
		return OutcomeHashed
	case stage == c.compared:
		isPart := j.need.extends && c.unitsIfWrong > j.need.units
		c.result, c.err = j.check(sum)
		if c.err == nil {
			if isPart { // the time of a part tells nothing of the whole
				c.task.stages[stage].units = 0
			}
			c.wipe() // no need for equal time: the caller knows the password
			return OutcomeMatch
		}
		if isPart && j.goOn(c.unitsIfWrong) == nil {
			return ""
		}
	}

	switch {
	case stage < len(c.jobs)-1:
		return ""
	case c.jobs[c.compared].dummy:
		return OutcomeUnknown
	}
	return OutcomeMismatch
}

// unitTimes returns how many nanoseconds a unit of each algorithm is believed to take until one has
// been measured. It measures one hash of the policy, and takes all algorithms to be as much faster
// or slower than their secondsAVX as that one.
func unitTimes(measured *job) map[Algorithm]float64 {
	measured.threads = 1
	began := time.Now()
	measured.compute()
	took := float64(time.Since(began))

	need := &measured.need
	ratio := took / (need.units * algorithms[need.kind.algorithm].secondsAVX)
	times := map[Algorithm]float64{Foreign: ratio / 1e9}
	for alg := Bcrypt; alg < Foreign; alg++ {
		times[alg] = ratio * algorithms[alg].secondsAVX
	}
	return times
}
