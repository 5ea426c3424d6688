// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"testing"
	"time"
)

// The adversary finds each mistake that is put back.
func TestAdversaryFinds(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(*Scheduler)
		want string
	}{
		{"estimates that shut the door are never put right", func(s *Scheduler) { s.mistakes.stubborn = true }, idleRefuses},
		{"batches that somebody left teach nothing", func(s *Scheduler) { s.learn = forgetful }, slowToHeal},
		{"the highest class goes first whoever asks", func(s *Scheduler) { s.mistakes.privileged = true }, unfair},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(1000) {
				if how := stage(t, seed, c.make)[c.want]; how != "" {
					t.Logf("seed %d: %s: %s", seed, c.want, how)
					return
				}
			}
			t.Errorf("1000 runs, and not once %s; the adversary can't tell", c.want)
		})
	}
}

// forgetful learns only from batches that nobody left, and takes every change for an
// outlier.
func forgetful(b *batch, left int, ended time.Time) {
	k, n := b.kind, len(b.tasks)
	if left < n {
		return
	}
	for _, e := range []*estimate{&k.alone, k.algorithm} {
		v := float64(ended.Sub(b.began)) / b.tasks[0].Units / k.ratio[n]
		if e.value == 0 {
			e.value = v
		}
		e.value += (v - e.value) * weight
		if e == &k.alone && !e.known {
			e.value, e.known = k.algorithm.value, true
		}
	}
}
