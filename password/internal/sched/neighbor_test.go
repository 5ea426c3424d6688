// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// A neighbor is another process that wants one core: it sits beside one worker or the
// other, or sleeps, and changes after a while. The worker gets half of what it shares.
type neighbor struct {
	rng   *rand.Rand
	until []time.Duration // when each of its stays ends
	place []int           // beside which worker; 2: none
	stays time.Duration   // on average
}

// end returns when work that a worker begins at a time is done.
func (n *neighbor) end(worker int, from, work time.Duration) time.Duration {
	for i := 0; ; i++ {
		if i == len(n.until) {
			last := time.Duration(0)
			if i > 0 {
				last = n.until[i-1]
			}
			n.until = append(n.until, last+time.Duration(n.rng.ExpFloat64()*float64(n.stays)))
			n.place = append(n.place, n.rng.IntN(3))
		}
		if from >= n.until[i] {
			continue
		}
		share := time.Duration(1)
		if n.place[i] == worker {
			share = 2
		}
		if need := work * share; need <= n.until[i]-from {
			return from + need
		}
		work -= (n.until[i] - from) / share
		from = n.until[i]
	}
}

// Beside a neighbor that takes a core at random, at most one in a hundred of the admitted is too
// late, and the workers are never idle. Without one, no goodput is lost.
func TestNeighbor(t *testing.T) {
	for _, c := range []struct {
		alone time.Duration
		lanes int
	}{{13 * ms, 1}, {54 * ms, 1}, {54 * ms, 5}} {
		for _, stays := range []time.Duration{0, 20 * ms, 100 * ms, 500 * ms} {
			t.Run(fmt.Sprintf("%v, %d lanes, stays %v", c.alone, c.lanes, stays), func(t *testing.T) {
				t.Parallel()
				late, busy, goodput := besides(t, c.alone, c.lanes, stays, nil)
				if late > 0.01 || busy < 0.97 || stays == 0 && goodput < 0.97 {
					t.Errorf("%.2f %% of the admitted were late, workers were busy for %.2f of the time, goodput %.2f of capacity; want 1 %%, 0.97 and 0.97",
						100*late, busy, goodput)
				}
			})
		}
	}
	// Negative control: what comes and goes is soon forgotten.
	if late, _, _ := besides(t, 13*ms, 1, 100*ms, func(s *Scheduler) {
		learn := s.learn
		s.learn = func(b *batch, left int, ended time.Time) {
			old, spread := b.kind.unit(), b.kind.spread
			learn(b, left, ended)
			v := float64(ended.Sub(b.began)) / b.tasks[0].Units
			if e := math.Abs(v/old - 1); e < far-1 {
				spread += (e - spread) * weight
			}
			b.kind.spread = spread
		}
	}); late < 0.01 {
		t.Errorf("a scheduler that leaves outliers out of the spread has %.2f %% late; the test can't tell", 100*late)
	}
}

// besides plays a load of three times the capacity of two workers, and returns how much of what was
// admitted was late, how busy the workers were, and the goodput as a part of what they do by themselves.
func besides(t *testing.T, alone time.Duration, lanes int, stays time.Duration, spoil func(*Scheduler)) (late, busy, goodput float64) {
	bubble(t, func(t *testing.T) {
		seconds := time.Duration(simulated(30)) * time.Second
		l := newLab(t, Config{Lanes: lanes, Relative: lanesTime, MaxWait: 300 * ms})
		if spoil != nil {
			spoil(l.Scheduler)
		}
		other := &neighbor{rng: rand.New(rand.NewPCG(7, 7)), stays: stays}
		began, hashing := time.Now(), time.Duration(0)
		l.Scheduler.run = func(slot int, tasks []*Task) {
			from := time.Since(began)
			l.mu.Lock()
			work := time.Duration(float64(alone) * measured[len(tasks)] * (0.97 + 0.06*l.rng.Float64()))
			end := from + work
			if stays > 0 {
				end = other.end(slot, from, work)
			}
			hashing += end - from
			l.mu.Unlock()
			time.Sleep(end - from)
		}
		l.Seed(1, alone, unitsOf[hash])
		capacity := 2 / (alone.Seconds() * measured[lanes] / float64(lanes))
		all := l.open(l.Do, arrivals{rate: 3 * capacity, lasts: seconds, make: func() *Task {
			return principal(task(hash), l.rng.Uint64())
		}})
		good := float64(count(all, verdict.good))
		admitted := float64(count(all, func(v verdict) bool { return v.err == nil || v.took > 0 }))
		late, busy, goodput = 1-good/admitted, hashing.Seconds()/2/seconds.Seconds(), good/(capacity*seconds.Seconds())
		t.Logf("%v, %d lanes, stays %v: %.2f %% of the admitted late, busy %.3f, goodput %.3f", alone, lanes, stays, 100*late, busy, goodput)
	})
	return
}
