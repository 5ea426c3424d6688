// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"testing"
	"testing/synctest"
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
		{"newcomers overtake without regard", func(s *Scheduler) { s.mistakes.overtaking = true }, tooLate},
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

// Overloaded at twice its capacity, the machine becomes four times slower. Whoever learns
// nothing from batches that somebody left goes on to begin each with as much time as it took before, and
// each has callers who leave: answers have all but ended, for ever.
func TestSlowdownUnderLoad(t *testing.T) {
	play := func(spoil func(*Scheduler)) (p *play) {
		synctest.Test(t, func(t *testing.T) {
			k := &sort{kind: hash, alone: 50 * ms, batch: true, threads: 1, units: 50}
			many := make([]uint64, 1000)
			for i := range many {
				many[i] = uint64(i)
			}
			const slow, at = 4, 3 * time.Second
			capacity := 2 * float64(time.Second) / float64(k.each(5)) / slow
			d := &drama{
				workers: 2, lanes: 5, maxWait: time.Second, sorts: []*sort{k}, errors: []float64{1},
				speeds: []stretch{{0, 1}, {at, 1.0 / slow}}, settled: at, ends: at + heals + window, fit: true, noise: 0.05,
				streams: []*stream{{name: "crowd", rate: 2 * slow * capacity, to: at + heals + window, principals: many,
					classes: []int{1}, sorts: []*sort{k}, within: [2]time.Duration{600 * ms, 900 * ms}}},
			}
			p = d.play(t, spoil)
		})
		return p
	}
	if faults := play(nil).faults; len(faults) > 0 {
		t.Errorf("%v", faults)
	}
	spoiled := play(func(s *Scheduler) { s.learn = forgetful })
	if spoiled.faults[slowToHeal] == "" {
		t.Errorf("a scheduler that forgets batches that somebody left heals; the test can't tell%s", spoiled.account())
	} else {
		t.Log(spoiled.faults[slowToHeal])
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
