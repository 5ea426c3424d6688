// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"runtime/pprof"

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

// undecided is the outcome of a call that goes on to the next stage, or was given up.
const undecided Outcome = ""

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
	j.gone = c.task.gone.Load
	if j.need.memory > 0 {
		j.scratch = p.scratches.take(j.need.memory)
		defer p.scratches.give(j.scratch)
	}
	return c.answer(stage, j.compute())
}

func runBcrypts(stage int, tasks []*task, answers []Outcome) {
	var lanes [blowfish.MaxLanes]*blowfish.Lane
	for i, t := range tasks {
		j := &t.call.jobs[stage]
		j.gone = t.gone.Load
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
	isGivenUp := sum == nil && j.failed == nil
	if isGivenUp {
		return undecided
	}

	outcome := OutcomeHashed
	if c.isHash {
		c.encoded = j.text(sum)
	} else {
		outcome = c.compare(stage, sum)
	}

	if outcome != undecided {
		c.wipe()
	}
	return outcome
}

// compare is answer for a Verify. A right password needs no equal time, as the caller knows it; a
// wrong one goes through all stages, and through all iterations of its own.
func (c *call) compare(stage int, sum []byte) Outcome {
	j := &c.jobs[stage]
	if stage == c.compared {
		c.result, c.err = j.check(sum)
		isShorter := j.need.extends && c.unitsIfWrong > j.need.units

		if c.err == nil {
			if isShorter {
				c.task.stages[stage].units = 0 // its time tells nothing of unitsIfWrong
			}
			return OutcomeMatch
		}
		if isShorter {
			finished := j.goOn(c.unitsIfWrong)
			if !finished {
				return undecided
			}
		}
	}

	isLast := stage == len(c.jobs)-1
	switch {
	case !isLast:
		return undecided
	case c.jobs[c.compared].dummy:
		return OutcomeUnknown
	}
	return OutcomeMismatch
}
