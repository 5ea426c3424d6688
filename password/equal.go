// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Equal time for users whose hashes were made by different policies: see Options.Stored.

import (
	"context"
	"fmt"
	"time"

	"fount/password/internal/sched"
)

// A stage is a policy by which stored hashes may have been made, or a sample of a
// Format's. A password that matches nothing goes through all stages of a pool in their
// order, for every user: in one of them it is compared, in the others it is hashed for
// nothing.
type stage struct {
	policy Policy
	sample string // "": a hash of the policy
	kind   sched.Kind
	units  float64

	foreign *foreign      // the sample, if a Format computes it
	task    *sched.Task   // one of it
	rest    []*sched.Task // the stages after it: a call that begins needs the time for all
}

// named returns the stages of all that o names, and what their errors call them.
func (o Options) named() (stages []stage, names []string) {
	stages, names = []stage{{policy: o.Policy}}, []string{"Options.Policy"}
	for i, policy := range o.Stored {
		policy.Keys, policy.MaxPassword, policy.Limits = nil, o.Policy.MaxPassword, o.Policy.Limits
		stages, names = append(stages, stage{policy: policy}), append(names, fmt.Sprintf("Options.Stored[%d]", i))
	}
	for i, sample := range o.Samples {
		stages, names = append(stages, stage{policy: o.Policy, sample: sample}), append(names, fmt.Sprintf("Options.Samples[%d]", i))
	}
	return stages, names
}

// mostSampled is how long the samples may take together: as long as one hash may by the default Limits. A call begins only if its deadline leaves
// time for all stages, so that with hundreds of samples even the right passwords would be refused.
const mostSampled = 5 * time.Second

// stagesOf returns the policy's stage and those of o.Stored and o.Samples that take other
// work, and the memory that the largest holds.
func stagesOf(o Options) (stages []stage, memory int64, err error) {
	var tasks []*sched.Task
	var sampled time.Duration
	all, names := o.named()
	for i, s := range all {
		w, err := s.policy.admit([]byte("x"), s.sample)
		if err != nil {
			return nil, 0, fmt.Errorf("password: %s: %w", names[i], err)
		}
		if w.dummy && i > len(o.Stored) {
			return nil, 0, fmt.Errorf("password: %s is empty, or says that there is no password; want a stored hash", names[i])
		}
		if err := s.policy.checkLongest(&w); err != nil {
			return nil, 0, fmt.Errorf("password: %s, with the longest password: %w; leave it out, raise Limits.Foreign or lower MaxPassword", names[i], err)
		}
		memory = max(memory, w.memory)
		if _, ok := placeOf(stages, &w); !ok {
			c := call{work: w}
			c.describe()
			s.kind, s.units, s.foreign, s.task = kindOf(&w), w.units, w.foreign, &c.task
			stages = append(stages, s)
			tasks = append(tasks, &c.task)
			if s.sample != "" {
				sampled = min(sampled, longestWork) + w.took()
			}
		}
		w.wipe()
	}
	if sampled > mostSampled {
		return nil, 0, fmt.Errorf("%w: each wrong password takes Options.Samples, about %v; want at most %v: name the most frequent", ErrCost, sampled.Round(time.Millisecond), mostSampled)
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
		if s.is(w) {
			return i, true
		}
	}
	return 0, false
}

// is reports whether w takes the stage's work. A Format's is told by form, cost and time, of short and of long
// passwords: the password goes through all stages.
func (s *stage) is(w *work) bool {
	kind := kindOf(w)
	if w.alg != Foreign {
		return s.kind == kind && s.units == w.units
	}
	if s.foreign == nil || [2]uint32(s.kind.Cost[:]) != [2]uint32(kind.Cost[:]) {
		return false
	}
	own, its := shortAndLong(s.foreign.Time), shortAndLong(w.foreign.Time)
	return near(own[0], its[0]) && near(own[1], its[1])
}

// near reports whether two times differ by no more than another length of the salt makes of them, a fifth: one digest
// more, or another, is half as much again.
func near(a, b time.Duration) bool { return max(a, b)/6 <= min(a, b)/5 }

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
			dummy, err := s.policy.admit(password, s.sample) // as w was
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
