// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Equal time for users whose hashes were made by different policies: see
// Options.Stored and docs/design/0007.

import (
	"context"
	"fmt"

	"fount/password/internal/sched"
)

// A stage is a policy by which stored hashes may have been made. A password that
// matches nothing goes through all stages of a pool in their order, for every user:
// in one of them it is compared, in the others it is hashed for nothing.
type stage struct {
	policy Policy
	kind   sched.Kind
	units  float64
	task   *sched.Task   // one of it
	rest   []*sched.Task // the stages after it: a call that begins needs the time for all
}

// stagesOf returns the policy's stage and those of o.Stored that take other work, and
// the memory that the largest holds.
func stagesOf(o Options) (stages []stage, memory int64, err error) {
	var tasks []*sched.Task
	for i, policy := range append([]Policy{o.Policy}, o.Stored...) {
		name := "Options.Policy"
		if i > 0 {
			name = fmt.Sprintf("Options.Stored[%d]", i-1)
			policy.Keys, policy.MaxPassword, policy.Limits = nil, o.Policy.MaxPassword, o.Policy.Limits
		}
		w, err := policy.admit([]byte("x"), "")
		if err != nil {
			return nil, 0, fmt.Errorf("password: %s: %w", name, err)
		}
		memory = max(memory, w.memory)
		if _, ok := placeOf(stages, &w); !ok {
			c := call{work: w}
			c.describe()
			stages = append(stages, stage{policy: policy, kind: kindOf(&w), units: w.units, task: &c.task})
			tasks = append(tasks, &c.task)
		}
		w.wipe()
	}
	for i := range stages {
		stages[i].rest = tasks[i+1:]
		stages[i].task.Rest = stages[i].rest
	}
	return stages, memory, nil
}

// placeOf returns the stage that takes as much work as w; the first, and false, if
// there is none.
func placeOf(stages []stage, w *work) (int, bool) {
	for i, s := range stages {
		if s.kind == kindOf(w) && s.units == w.units {
			return i, true
		}
	}
	return 0, false
}

// verify takes the admitted w through the stages, has it wiped, and notes in o what became of it.
func (p *Pool) verify(ctx context.Context, login Login, password []byte, w work, o *Observation) (result Result, answer error) {
	var chain *sched.Chain
	if len(p.stages) > 1 {
		chain = new(sched.Chain)
		defer p.sched.End(chain)
	}
	place, _ := placeOf(p.stages, &w)
	for i, s := range p.stages {
		c := &call{work: w, unknown: w.dummy}
		if i != place {
			dummy, err := s.policy.admit(password, "") // as w was
			if err != nil {
				o.invalid(err)
				return Result{}, err
			}
			c = &call{work: dummy, filler: true}
		}
		c.task.Rest, c.task.Continues, c.task.Chain = s.rest, i > 0, chain
		if err := p.do(ctx, login, c, o); err != nil {
			if i < place {
				w.wipe() // else do or the worker does
			}
			return Result{}, err
		}
		if i == place {
			if result, answer = c.result, c.err; answer == nil {
				o.Outcome = OutcomeMatch
				return result, nil // its time reveals nothing to anyone who knows the password
			}
		}
	}
	o.Outcome, o.Err = OutcomeMismatch, answer
	if w.dummy {
		o.Outcome = OutcomeUnknown
	}
	return result, answer
}
