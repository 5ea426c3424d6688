// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"fount/cmd/internal/lab/measure"
	"fount/cmd/internal/policytext"
	"fount/password"
)

// A Report is the result. Times are of one core.
type Report struct {
	Policy  string `json:"policy"`  // of the hashes to come
	Lines   int64  `json:"lines"`   // or rows
	Blank   int64  `json:"blank"`   // those, comments, and names without a hash
	Locked  int64  `json:"locked"`  // no password signs in: ! or *
	Read    int64  `json:"read"`    // hashes that a pool with all forms reads
	Upgrade int64  `json:"upgrade"` // of these, those that a login replaces
	Kept    int64  `json:"kept"`    // of Read, those that are harder to guess than a hash of Policy
	Weak    int64  `json:"weak"`    // of Read, those that fount password wrap takes
	Apart   int64  `json:"apart"`   // of Read, those that are not covered: see Kind
	Refused int64  `json:"refused"` // by a pool

	Kinds     []*Kind    `json:"kinds"`     // of Read, the most frequent first
	Refusals  []*Refusal `json:"refusals"`  // the most frequent first
	Unwrapped []*Refusal `json:"unwrapped"` // what is read, and fount password wrap refuses

	PolicyMS float64   `json:"ms_policy"`    // a hash of Policy
	EqualMS  float64   `json:"ms_equal"`     // a wrong password, if Options.Stored has what Sample chooses
	Memory   int64     `json:"memory_bytes"` // the most that a hash holds
	Forecast *Forecast `json:"forecast,omitempty"`
}

// Report times the kinds, the most frequent first, until budget is spent. With a rate of logins a
// day, of all users, it has a forecast. It calls progress with a line for the screen.
func (s *Survey) Report(ctx context.Context, budget time.Duration, logins float64, progress func(line string)) (*Report, error) {
	r := s.report
	r.Policy = policytext.Of(s.policy)
	r.Kinds = s.sortedKinds()
	r.Refusals, r.Refused = s.refusals.sorted()
	r.Unwrapped, _ = s.unwrapped.sorted()

	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the lanes of an argon2 would run on several cores
	if err := r.measure(ctx, s.policy, budget, progress); err != nil {
		return nil, err
	}
	if err := r.cover(ctx, s.policy, budget); err != nil {
		return nil, err
	}
	r.sum()

	if logins > 0 && r.Read > 0 {
		r.Forecast = forecast(logins, r.Read, r.Upgrade)
	}
	return &r, nil
}

// sortedKinds returns the kinds, the most frequent first.
func (s *Survey) sortedKinds() []*Kind {
	kinds := slices.SortedFunc(maps.Values(s.kinds), func(a, b *Kind) int {
		return cmp.Or(-cmp.Compare(a.Count, b.Count), strings.Compare(a.Name, b.Name), strings.Compare(a.Form, b.Form), strings.Compare(a.sample, b.sample))
	})
	return append([]*Kind{}, kinds...) // an empty list in JSON, not null
}

// sum sets the figures that are sums over kinds, and the greatest memory.
func (r *Report) sum() {
	for _, k := range r.Kinds {
		r.Read += k.Count
		r.Upgrade += k.Upgrade
		r.Weak += k.Weak
		if k.Name != r.Policy {
			r.Kept += k.Count - k.Upgrade
		}
		if !k.Covered {
			r.Apart += k.Count
		}
		r.Memory = max(r.Memory, k.Memory)
	}
}

// measure times the policy's hash and those of kinds on one core; nothing without a budget.
func (r *Report) measure(ctx context.Context, policy password.Policy, budget time.Duration, progress func(string)) error {
	start := time.Now()
	probe := []byte("twelve bytes")

	own, err := password.Hash(policy, probe)
	if err != nil {
		return err
	}
	info, err := policy.Inspect(own)
	if err != nil {
		return err
	}

	r.Memory = info.Bytes
	if budget <= 0 {
		return nil
	}

	r.PolicyMS = timeOf(func() { _, _ = password.Verify(policy, probe, own) })
	for i, k := range r.Kinds {
		if ctx.Err() != nil || time.Since(start) > budget {
			return ctx.Err()
		}
		progress(fmt.Sprintf("timing %d of %d: %s", i+1, len(r.Kinds), k.Name))
		k.MS = timeOf(func() { _, _ = password.Verify(policy, probe, k.sample) })
	}
	return nil
}

// cover finds the kinds that password.Sample covers, and times a wrong password, unless there is no
// budget.
func (r *Report) cover(ctx context.Context, policy password.Policy, budget time.Duration) error {
	stored := password.Sample(policy, func(yield func(string) bool) {
		for _, k := range r.Kinds {
			if k.others {
				continue
			}
			for range k.Count {
				if !yield(k.sample) {
					return
				}
			}
		}
	})

	pool, err := password.NewPool(password.Options{Policy: policy, Stored: stored})
	if err != nil {
		return err
	}

	for _, k := range r.Kinds {
		k.Covered = !k.others && pool.Covers(k.sample)
	}

	r.EqualMS = r.PolicyMS
	if budget > 0 && len(stored) > 0 {
		r.EqualMS = timeOf(func() { _, _ = pool.Verify(ctx, password.Login{}, []byte("twelve bytes"), "") })
	}

	return pool.Close(ctx)
}

// timeOf is the least CPU time of f in ms, of as many as fit in 100 ms: more is the machine's. It
// is elapsed time where the system tells no other.
func timeOf(f func()) float64 {
	start := time.Now()
	least := math.Inf(1)

	clock := measure.ProcessCPU
	if clock == nil {
		clock = func() time.Duration { return time.Since(start) }
	}

	for time.Since(start) < 100*time.Millisecond {
		begin := clock()
		f()
		least = min(least, (clock()-begin).Seconds()*1000)
	}
	return least
}

// A Forecast says how users leave the old hashes. Each signs in at a constant rate; the rates have
// a gamma distribution of shape 0.5, the NBD model of marketing. No figures for logins are public;
// purchases at a web shop gave 0.55 (Fader, Hardie, Lee, Marketing Science 24, 2005).
type Forecast struct {
	Logins float64 `json:"logins_per_day"` // of all users who can sign in
	Users  int64   `json:"users"`          // with hashes to upgrade

	Half   float64 `json:"days_to_50_percent"`
	Most   float64 `json:"days_to_90_percent"`
	Nearly float64 `json:"days_to_99_percent"`
}

const shape = 0.5

// until is how often the mean user has signed in when that share of users has not: of n times it is
// the mean of exp(-r·n) over the rates r, (1+n/shape)^-shape.
func until(left float64) float64 { return shape * (math.Pow(left, -1/shape) - 1) }

// forecast is for so many logins a day, by all users.
func forecast(logins float64, all, old int64) *Forecast {
	mean := logins / float64(all)
	return &Forecast{Logins: logins, Users: old, Half: until(0.5) / mean, Most: until(0.1) / mean, Nearly: until(0.01) / mean}
}
