// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"context"
	"errors"
	"testing"
	"time"
)

// chained does a task and then others, each after the one before it, as one call
// of a caller. As strangers they know nothing of each other.
func (l *lab) chained(ctx context.Context, first *Task, strangers bool, kinds ...Kind) error {
	chain := []*Task{first}
	for _, k := range kinds {
		next := task(k)
		next.Principal, next.Class = first.Principal, first.Class
		chain = append(chain, next)
	}
	for i, t := range chain {
		if !strangers {
			t.Continues, t.Rest = i > 0, chain[i+1:]
		}
		if err := l.Do(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// Who is let in with several tasks, one after the other, is answered: what is refused
// is refused before the first of them, at once, and none is done in vain.
func TestChains(t *testing.T) {
	seconds := simulated(60)
	for _, c := range []struct {
		name   string
		config Config
		kinds  []Kind  // after one of 50 ms
		each   float64 // ms of a worker that a chain takes
	}{
		{"two", Config{MaxWait: 300 * ms}, []Kind{big}, 50 + 80},
		{"four", Config{MaxWait: 300 * ms}, []Kind{big, half, hash}, 50 + 80 + 25 + 50},
		{"lanes", Config{MaxWait: 300 * ms, Lanes: 5, Relative: lanesTime}, []Kind{big}, 50*measured[5]/5 + 80},
		{"lanes last", Config{MaxWait: 300 * ms, Lanes: 5, Relative: lanesTime}, []Kind{half}, (50 + 25) * measured[5] / 5},
	} {
		run := func(t *testing.T, strangers bool) (goodput, inTime float64) {
			bubble(t, func(t *testing.T) {
				c.config.Memory = 1 << 30
				l := newLab(t, c.config)
				l.noise = l.lognormal(0.1)
				capacity := 2 * 1000 / c.each
				all := l.open(func(ctx context.Context, first *Task) error {
					return l.chained(ctx, first, strangers, c.kinds...)
				}, arrivals{rate: 3 * capacity, lasts: time.Duration(seconds) * time.Second, make: func() *Task {
					k := task(hash)
					k.Principal = uint64(l.rng.IntN(1000))
					return k
				}})
				good, late := 0.0, 0.0
				for _, v := range all {
					_, refused := errors.AsType[*Refusal](v.err)
					switch {
					case v.good():
						good++
					case !refused || v.took > 0:
						late++
					}
				}
				goodput, inTime = good/(float64(seconds)*capacity), good/(good+late)
				t.Logf("strangers %v: goodput %.2f, %.3f of the admitted in time", strangers, goodput, inTime)
			})
			return
		}
		t.Run(c.name, func(t *testing.T) {
			goodput, inTime := run(t, false)
			if goodput < 0.85 || inTime < 0.9 {
				t.Errorf("goodput is %.2f of capacity, and %.3f of the admitted were answered in time; want 0.85 and 0.9",
					goodput, inTime)
			}
			if goodput, inTime := run(t, true); goodput > 0.85 && inTime > 0.9 {
				t.Errorf("as strangers %.2f and %.3f; the test can't tell", goodput, inTime)
			}
		})
	}
}
