// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

// Equal time for wrong passwords, whatever hash is stored: see Options.Stored.

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
)

// A storedSample stands for the hashes of one kind that the store has. A wrong password is hashed
// as all samples of a pool, stage by stage, in the same order for every user, and compared in one
// of the stages. PBKDF2 with one digest is one sample: a wrong password goes on to its iterations.
type storedSample struct {
	encoded string // empty for the policy's
	need    effort // for a password of one byte
	longest effort // for the longest password
	count   int    // hashes of the kind in a store
}

// How long Options.Stored may take beside the policy's hash. Each wrong password takes that time,
// and a call begins only if its deadline leaves it.
const (
	maxSampled = 300 * time.Millisecond // of what Sample chooses
	maxStored  = time.Second
)

// longestPassword finds samples that Limits.Time refuses for long passwords only. In a stage they
// would be refused after the stages before it, and so reveal their users.
var longestPassword = make([]byte, maxPassword)

// samplesOf returns the samples of a pool: the policy's, and those of stored.
func samplesOf(p Policy, stored []string) ([]storedSample, error) {
	samples, _, err := p.cover(nil, "")
	if err != nil {
		return nil, fmt.Errorf("password: Options.Policy: %w", err)
	}

	var sum time.Duration
	for i, encoded := range stored {
		with, more, err := p.cover(samples, encoded)
		if err != nil {
			return nil, fmt.Errorf("password: Options.Stored[%d]: %w", i, err)
		}

		samples = with
		sum = min(sum, maxDuration) + more
	}

	if sum > maxStored {
		return nil, fmt.Errorf("%w: each wrong password takes Options.Stored, about %v; want at most %v: name the most frequent, as Sample does",
			ErrCost, sum.Round(time.Millisecond), maxStored)
	}
	return samples, nil
}

// cover returns samples that cover encoded too, and how much longer they take.
func (p Policy) cover(samples []storedSample, encoded string) (with []storedSample, more time.Duration, err error) {
	j, err := p.verifyJob([]byte("x"), encoded)
	switch {
	case err != nil:
		return nil, 0, err
	case j.dummy && len(samples) > 0:
		return nil, 0, errors.New("it is empty or a marker for no password; want a stored hash")
	}
	if _, err := p.verifyJob(longestPassword, encoded); err != nil {
		return nil, 0, fmt.Errorf("for a password of %d bytes: %w; leave it out, or raise Limits.Time", maxPassword, err)
	}

	s := sampleOf(&j, encoded)
	i := slices.IndexFunc(samples, func(s storedSample) bool { return s.covers(&j) })
	switch {
	case i < 0:
		return append(slices.Clip(samples), s), s.need.timeWithAVX(), nil
	case !j.need.extends || j.need.units <= samples[i].need.units:
		return samples, 0, nil
	}

	with = slices.Clone(samples)
	with[i] = s
	return with, s.need.timeWithAVX() - samples[i].need.timeWithAVX(), nil
}

func sampleOf(j *job, encoded string) storedSample {
	return storedSample{encoded: strings.Clone(encoded), need: j.need, longest: j.effort(maxPassword)}
}

// Sample chooses Options.Stored from all hashes of a store: one of each kind that p reads and does
// not make, the most frequent kind first. It computes no hash, and returns nil if p is invalid.
//
// It leaves out kinds of fewer than one hash in a hundred, and those that need more memory than
// both 64 MiB and p's hashes. The others together take at most 300 ms, on the machine that Limits
// speaks of with instructions for argon2, scrypt and SHA-256. PBKDF2 with one digest is one kind,
// with the highest number of iterations that fits and that one hash in a hundred has or exceeds.
//
// If a user's hash is left out, the time of a wrong password shows that the user exists, until a
// sign-in replaces the hash: see Pool.Covers. NewPool refuses a sample that needs more than
// Options.Memory.
func Sample(p Policy, stored iter.Seq[string]) (samples []string) {
	kinds, hashes := p.countKinds(stored)
	chosen, _, err := p.cover(nil, "")
	if err != nil {
		return nil
	}

	memory := max(chosen[0].need.memory, 64<<20) // Options.Memory grows with it
	left := maxSampled
	for _, s := range kinds {
		if 100*s.count < hashes || s.need.memory > memory {
			continue
		}
		if with, more, err := p.cover(chosen, s.encoded); err == nil && more <= left {
			chosen = with
			left -= more
		}
	}

	for _, s := range chosen {
		if s.encoded != "" {
			samples = append(samples, s.encoded)
		}
	}
	return samples
}

// countKinds returns a sample of each kind of hash in a store, the most frequent first, and counts
// all hashes. A PBKDF2 counts for those of more iterations, too.
func (p Policy) countKinds(stored iter.Seq[string]) (kinds []storedSample, hashes int) {
	for encoded := range stored {
		j, err := p.verifyJob([]byte("x"), encoded)
		if err != nil || j.dummy {
			continue // it takes no hash at sign-in either
		}

		i := slices.IndexFunc(kinds, func(s storedSample) bool { return s.sameWork(&j) })
		if i < 0 {
			i = len(kinds)
			kinds = append(kinds, sampleOf(&j, encoded))
		}
		kinds[i].count++
		hashes++
	}

	slices.SortStableFunc(kinds, func(a, b storedSample) int { return cmp.Compare(b.need.units, a.need.units) })
	above := map[Algorithm]int{} // hashes of more iterations
	for i := range kinds {
		if s := &kinds[i]; s.need.extends {
			s.count += above[s.need.kind.algorithm]
			above[s.need.kind.algorithm] = s.count
		}
	}

	slices.SortStableFunc(kinds, func(a, b storedSample) int { return b.count - a.count })
	return kinds, hashes
}

// covers reports whether j's hash can be compared in the sample's stage.
func (s *storedSample) covers(j *job) bool {
	return s.sameWork(j) || j.need.extends && s.need.kind.algorithm == j.need.kind.algorithm
}

// sameWork reports whether j takes as long as the sample. For a Format's hash it compares form,
// cost, and the times of a short and of a long password.
func (s *storedSample) sameWork(j *job) bool {
	own := s.need.kind
	other := j.need.kind
	if other.form == "" {
		return own == other && s.need.units == j.need.units
	}

	short := j.effort(1)
	long := j.effort(maxPassword)
	return own.form == other.form && own.cost[0] == other.cost[0] &&
		similar(s.need.varies, short.varies) && similar(s.longest.varies, long.varies)
}

// similar reports whether two times differ by at most a fifth, as by the length of a salt. One
// digest more, or another one, makes a half or more.
func similar(a, b time.Duration) bool { return max(a, b)/6 <= min(a, b)/5 }

// newVerifyCall returns the call that computes j in one of the stages, and dummies in the others. A
// hash that no sample covers replaces the first.
func newVerifyCall(samples []storedSample, p Policy, password []byte, j job) (*call, error) {
	jobs := make([]job, len(samples))
	compared := max(0, slices.IndexFunc(samples, func(s storedSample) bool { return s.covers(&j) }))
	jobs[compared] = j

	for i, s := range samples {
		if i == compared {
			continue
		}

		dummy, err := p.verifyJob(password, s.encoded)
		if err != nil {
			(&call{jobs: jobs}).wipe()
			return nil, err
		}
		jobs[i] = dummy
	}

	c := newCall(jobs, compared)

	// A PBKDF2 extends: it may have fewer iterations than its sample. It is computed with its own. If
	// the password is wrong, it goes on to the sample's (call.compare, job.goOn), so that all wrong
	// passwords take equal time. The queue expects that work. After a match, which took less,
	// compare sets the stage's work to 0, not known, and times.learn learns nothing from it.
	if s := &samples[compared]; j.need.extends && s.covers(&j) {
		c.unitsIfWrong = max(s.need.units, j.need.units)
		c.task.stages[compared] = s.need
		c.task.stages[compared].units = c.unitsIfWrong
	}
	return c, nil
}
