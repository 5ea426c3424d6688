// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Equal time for users whose hashes take different work: see Options.Stored.

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// A stage is one work that the store has. A password that matches nothing goes through all stages
// of a pool in their order, for every user: in one of them it is compared, in the others it is
// hashed for nothing. PBKDF2 of one digest is one stage: a wrong password goes on to its
// iterations.
type stage struct {
	sample  string // a hash of it; "": of the policy
	need    effort // for a password of one byte
	longest effort // for one of the most
	count   int    // of a store's hashes
}

// What Options.Stored may take together beside the policy's hash: each wrong password takes it, and
// a call begins only if its deadline leaves time for all of it.
const (
	maxSampled = 300 * time.Millisecond // by Sample
	maxStored  = time.Second
)

// longestPassword is refused for a Format's hash that takes too long for it: as a sample that would
// be refused after the stages before it, where a hash like it is refused at once.
var longestPassword = make([]byte, maxPassword)

// stagesOf returns the policy's stage and those of stored hashes that take other work.
func stagesOf(p Policy, stored []string) ([]stage, error) {
	stages, _, err := p.cover(nil, "")
	if err != nil {
		return nil, fmt.Errorf("password: Options.Policy: %w", err)
	}
	var sum time.Duration
	for i, sample := range stored {
		var more time.Duration
		if stages, more, err = p.cover(stages, sample); err != nil {
			return nil, fmt.Errorf("password: Options.Stored[%d]: %w", i, err)
		}
		sum = min(sum, longest) + more
	}
	if sum > maxStored {
		return nil, fmt.Errorf("%w: each wrong password takes Options.Stored, about %v; want at most %v: name the most frequent, as Sample does",
			ErrCost, sum.Round(time.Millisecond), maxStored)
	}
	return stages, nil
}

// cover returns the stages with one that has the sample's work, and how much longer they take.
func (p Policy) cover(stages []stage, sample string) (with []stage, more time.Duration, err error) {
	w, err := p.admit([]byte("x"), sample)
	switch {
	case err != nil:
		return nil, 0, err
	case w.dummy && len(stages) > 0:
		return nil, 0, errors.New("it is empty, or says that there is no password; want a stored hash")
	}
	if _, err := p.admit(longestPassword, sample); err != nil {
		return nil, 0, fmt.Errorf("with the longest password: %w; leave it out, or raise Limits.Time", err)
	}
	s := stageFor(&w, sample)
	i := slices.IndexFunc(stages, func(s stage) bool { return s.serves(&w) })
	switch {
	case i < 0:
		return append(slices.Clip(stages), s), s.need.usually(), nil
	case !w.need.grows || w.need.units <= stages[i].need.units:
		return stages, 0, nil
	}
	with = slices.Clone(stages)
	with[i] = s
	return with, s.need.usually() - stages[i].need.usually(), nil
}

func stageFor(w *work, sample string) stage {
	return stage{sample: strings.Clone(sample), need: w.need, longest: w.kind.effort(maxPassword)}
}

// Sample chooses Options.Stored from all hashes of a store: one of each kind that p reads and does
// not make, the most frequent kind first. It computes no hash, and returns nil if p is invalid.
//
// It leaves out kinds of fewer than one hash in a hundred, and those that need more than 64 MiB and
// more than p's. It stops at 300 ms for all kinds together, on the machine of Limits with
// instructions for argon2, scrypt and SHA-256. Of PBKDF2 with one digest it takes the most
// iterations that fit and that one hash in a hundred has or exceeds: these cover all below. Until a
// sign-in replaces a hash that is left out, the time of a wrong password shows that its user
// exists: see Pool.Covers. NewPool refuses a sample that needs more than Options.Memory.
func Sample(p Policy, stored iter.Seq[string]) (samples []string) {
	var kinds []stage
	hashes := 0
	for encoded := range stored {
		w, err := p.admit([]byte("x"), encoded)
		if err != nil || w.dummy {
			continue // a sign-in will say so
		}
		i := slices.IndexFunc(kinds, func(s stage) bool { return s.is(&w) })
		if i < 0 {
			i = len(kinds)
			kinds = append(kinds, stageFor(&w, encoded))
		}
		kinds[i].count++
		hashes++
	}
	slices.SortStableFunc(kinds, func(a, b stage) int { return cmp.Compare(b.need.units, a.need.units) })
	above := map[Algorithm]int{} // PBKDF2 of more iterations covers that of fewer
	for i := range kinds {
		if k := &kinds[i]; k.need.grows {
			above[k.need.kind.algorithm] += k.count
			k.count = above[k.need.kind.algorithm]
		}
	}
	slices.SortStableFunc(kinds, func(a, b stage) int { return b.count - a.count })
	stages, _, err := p.cover(nil, "")
	if err != nil {
		return nil
	}
	memory, left := max(stages[0].need.memory, 64<<20), maxSampled // Options.Memory grows with memory
	for _, k := range kinds {
		if k.count < (hashes+99)/100 || k.need.memory > memory {
			continue
		}
		if with, more, err := p.cover(stages, k.sample); err == nil && more <= left {
			stages, left = with, left-more
		}
	}
	for _, s := range stages {
		if s.sample != "" {
			samples = append(samples, s.sample)
		}
	}
	return samples
}

// serves reports whether w can be compared in the stage.
func (s *stage) serves(w *work) bool {
	return s.is(w) || w.need.grows && s.need.kind.algorithm == w.need.kind.algorithm
}

// is reports whether w takes the stage's work. A Format's is told by form, cost and time, of short
// and of long passwords: the password goes through all stages.
func (s *stage) is(w *work) bool {
	is, short, long := w.need.kind, w.kind.effort(1), w.kind.effort(maxPassword)
	if is.form == "" {
		return s.need.kind == is && s.need.units == w.need.units
	}
	return s.need.kind.form == is.form && s.need.kind.cost[0] == is.cost[0] && near(s.need.varies, short.varies) && near(s.longest.varies, long.varies)
}

// near reports whether two times differ by no more than another length of the salt makes of them, a
// fifth: one digest more, or another, is half as much again.
func near(a, b time.Duration) bool { return max(a, b)/6 <= min(a, b)/5 }

// through returns the call that takes the admitted w through the stages of a pool with the policy.
// A hash of another work than theirs goes in the place of the first.
func through(stages []stage, p Policy, password []byte, w work) (*call, error) {
	works := make([]work, len(stages))
	place := max(0, slices.IndexFunc(stages, func(s stage) bool { return s.serves(&w) }))
	works[place] = w
	for i, s := range stages {
		if i == place {
			continue
		}
		dummy, err := p.admit(password, s.sample) // as w was
		if err != nil {
			callOf(works, place).wipe()
			return nil, err
		}
		works[i] = dummy
	}
	c := callOf(works, place)
	if s := &stages[place]; w.need.grows && s.serves(&w) {
		c.units = max(s.need.units, w.need.units)
		c.task.stages[place] = s.need
		c.task.stages[place].units = c.units
	}
	return c, nil
}
