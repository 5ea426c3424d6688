// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Equal time for users whose hashes take different work: see Options.Stored.

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"fount/password/internal/sched"
)

// A stage is one work that the store has. A password that matches nothing goes through all stages
// of a pool in their order, for every user: in one of them it is compared, in the others it is
// hashed for nothing.
type stage struct {
	sample  string // "": a hash of the policy
	task    sched.Stage
	foreign *foreign // the sample, if a Format computes it
	took    time.Duration
	count   int // of a store's hashes
}

// mostSampled is how long Options.Stored may take together: as long as one hash may by the default
// Limits. A call begins only if its deadline leaves time for all stages, so with hundreds of them
// even the right passwords would be refused.
const mostSampled = 5 * time.Second

// longestPassword is refused for a Format's hash that takes too long for it: as a sample that would
// be refused after the stages before it, where a hash like it is refused at once.
var longestPassword = make([]byte, maxPassword)

// stagesOf returns the policy's stage and those of o.Stored that take other work, what they are to
// the scheduler, and the memory that the largest holds.
func stagesOf(o Options) (stages []stage, course []sched.Stage, memory int64, err error) {
	var sampled time.Duration
	for i, sample := range append([]string{""}, o.Stored...) {
		name := "Options.Policy"
		if i > 0 {
			name = fmt.Sprintf("Options.Stored[%d]", i-1)
		}
		w, err := o.Policy.admit([]byte("x"), sample)
		switch {
		case err != nil:
			return nil, nil, 0, fmt.Errorf("password: %s: %w", name, err)
		case w.dummy && i > 0:
			return nil, nil, 0, fmt.Errorf("password: %s is empty, or says that there is no password; want a stored hash", name)
		}
		if _, err := o.Policy.admit(longestPassword, sample); err != nil {
			return nil, nil, 0, fmt.Errorf("password: %s, with the longest password: %w; leave it out, or raise Limits.Time", name, err)
		}
		memory = max(memory, w.memory)
		if place(&stages, &w, sample); len(stages) > len(course) {
			course = append(course, stageOf(&w))
			if i > 0 {
				sampled = min(sampled, longest) + w.took()
			}
		}
	}
	if sampled > mostSampled {
		return nil, nil, 0, fmt.Errorf("%w: each wrong password takes Options.Stored, about %v; want at most %v: name the most frequent",
			ErrCost, sampled.Round(time.Millisecond), mostSampled)
	}
	return stages, course, memory, nil
}

// Sample returns what Options.Stored wants of a store: one hash of each work that p reads beside
// its own, that of the most hashes first. It leaves out what a Pool would refuse: works that would
// take more than 5 s together, the less frequent first, and what takes longer than p.Limits allow
// for the longest password. It computes nothing.
func Sample(p Policy, stored iter.Seq[string]) (samples []string) {
	var stages []stage
	if w, err := p.admit([]byte("x"), ""); err == nil {
		place(&stages, &w, "")
	}
	for encoded := range stored {
		w, err := p.admit([]byte("x"), encoded)
		if err != nil || w.dummy {
			continue // a sign-in will say so
		}
		if _, err := p.admit(longestPassword, encoded); err == nil {
			place(&stages, &w, encoded).count++
		}
	}
	slices.SortStableFunc(stages, func(a, b stage) int { return b.count - a.count })
	left := mostSampled
	for _, s := range stages {
		if s.sample != "" && s.took <= left {
			samples, left = append(samples, s.sample), left-s.took
		}
	}
	return samples
}

// place returns the stage that takes as much work as w, which it appends if there is none.
func place(stages *[]stage, w *work, sample string) *stage {
	i := slices.IndexFunc(*stages, func(s stage) bool { return s.is(w) })
	if i < 0 {
		i = len(*stages)
		*stages = append(*stages, stage{sample: strings.Clone(sample), task: stageOf(w), foreign: w.foreign, took: w.took()})
	}
	return &(*stages)[i]
}

// is reports whether w takes the stage's work. A Format's is told by form, cost and time, of short
// and of long passwords: the password goes through all stages.
func (s *stage) is(w *work) bool {
	kind := kindOf(w)
	if w.alg != Foreign {
		return s.task.Kind == kind && s.task.Units == w.units
	}
	if s.foreign == nil || s.task.Kind.Form != kind.Form || s.task.Kind.Cost[0] != kind.Cost[0] {
		return false
	}
	return near(s.foreign.Time(1), w.foreign.Time(1)) &&
		near(s.foreign.Time(maxPassword), w.foreign.Time(maxPassword))
}

// near reports whether two times differ by no more than another length of the salt makes of them, a
// fifth: one digest more, or another, is half as much again.
func near(a, b time.Duration) bool { return max(a, b)/6 <= min(a, b)/5 }

// call returns the call that takes the admitted w through the stages. A hash of another work than
// theirs goes in the place of the first.
func (p *Pool) call(password []byte, w work) (*call, error) {
	works := make([]work, len(p.stages))
	place := max(0, slices.IndexFunc(p.stages, func(s stage) bool { return s.is(&w) }))
	works[place] = w
	for i, s := range p.stages {
		if i == place {
			continue
		}
		dummy, err := p.policy.admit(password, s.sample) // as w was
		if err != nil {
			callOf(works, place).wipe()
			return nil, err
		}
		works[i] = dummy
	}
	return callOf(works, place), nil
}
