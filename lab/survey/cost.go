// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package survey

// What one hash of each kind takes on this machine.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"fount/password"
)

// probe is a password of the length for which password.Info has its time. Whether it matches does not matter.
var probe = []byte("twelve bytes")

// measure times a hash of each kind on one core, the most frequent first, until budget is spent: 100 ms, or one hash, each.
// The others it estimates, by what those measured take here of their time in password.Info. With a budget of 0 all
// times are those of the machine of which password.Limits speaks. It returns the time of a hash of the policy and the bytes
// that it holds, and calls progress with a line for the screen.
func (s *Survey) measure(ctx context.Context, budget time.Duration, progress func(string)) (policyMS float64, memory int64, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the lanes of an argon2 would run on several
	start := time.Now()
	own, err := password.Hash(s.policy, probe)
	if err != nil {
		return 0, 0, err
	}
	info, err := s.policy.Inspect(own)
	if err != nil {
		return 0, 0, err
	}
	policyMS = info.Time.Seconds() * 1000
	speed := map[family]float64{} // how much longer than expected
	all := 1.0
	if budget > 0 {
		ms := timeOf(func() { _, _ = password.Verify(s.policy, probe, own) })
		all, policyMS = ms/policyMS, ms
	}
	ordered := s.ordered()
	for i, k := range ordered {
		t := s.kinds[k]
		expected := t.reference / float64(t.count)
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		if !k.others && time.Since(start) < budget {
			progress(fmt.Sprintf("timing %d of %d: %s", i+1, len(ordered), k.name()))
			t.ms, t.measured = timeOf(func() { _, _ = password.Verify(s.policy, probe, t.sample) }), true
			if speed[k.family] == 0 {
				speed[k.family] = t.ms / expected
			}
			continue
		}
		t.ms = expected * cmp.Or(speed[k.family], all)
	}
	return policyMS, info.Bytes, nil
}

// ordered are the kinds, the most frequent first.
func (s *Survey) ordered() []kind {
	var all []kind
	for k := range s.kinds {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b kind) int {
		return cmp.Or(-cmp.Compare(s.kinds[a].count, s.kinds[b].count), cmp.Compare(a.name(), b.name()), cmp.Compare(a.form, b.form),
			cmp.Compare(a.prehash, b.prehash))
	})
	return all
}

// timeOf returns the least time of f in ms, of as many as fit in 100 ms: what is more is the machine's.
func timeOf(f func()) float64 {
	least := math.Inf(1)
	for start := time.Now(); time.Since(start) < 100*time.Millisecond; {
		begin := time.Now()
		f()
		least = min(least, time.Since(begin).Seconds()*1000)
	}
	return least
}
