// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// More requests than can be answered.

import (
	"context"
	"fmt"
)

// makeOverload offers three times the pool's capacity to the pool, with one hash at a time and with lanes, and to
// goroutines without a limit.
func makeOverload(ctx context.Context, m *maker) error {
	m.of = 9
	for _, mechanism := range []string{Pool, PoolLanes} {
		if err := m.overload(ctx, mechanism); err != nil {
			return err
		}
	}
	return nil
}

// overload measures the capacity before and after, because another program may have used part of a core meanwhile.
func (m *maker) overload(ctx context.Context, mechanism string) error {
	before, err := m.capacity(ctx, mechanism, m.share(10, 60))
	if err != nil {
		return err
	}
	cut := m.share(5, 60)
	pool, err := m.add(ctx, m.offered(mechanism, 3*before, cut))
	if err != nil {
		return err
	}
	maxOut, err := m.add(ctx, m.offered(MaxOut, 3*before, cut))
	if err != nil {
		return err
	}
	var hungUp *Report
	if mechanism == PoolLanes {
		c := m.offered(mechanism, 3*before, cut)
		c.HangUp = true
		r, err := m.add(ctx, c)
		if err != nil {
			return err
		}
		hungUp = &r
	}
	after, err := m.capacity(ctx, mechanism, m.share(10, 60))
	if err != nil {
		return err
	}
	capacity := (before + after) / 2
	m.study.Conditions = append(m.study.Conditions, promises(mechanism, capacity, pool, maxOut)...)
	if hungUp != nil {
		m.study.Conditions = append(m.study.Conditions, kept(mechanism+" at 3x, hang up", capacity, *hungUp)...)
	}
	return nil
}

// kept are the callers' conditions: they get most of the capacity, and those admitted get an answer in time.
func kept(what string, capacity float64, r Report) []Condition {
	return []Condition{
		atLeast(what+", goodput of the capacity before and after", 100*r.Goodput/capacity, 90, "%"),
		atLeast(what+", admitted that were answered in time", percent(r.Good, r.Admitted()), 99, "%"),
	}
}

// promises are the conditions of the callers and of the rest of the process.
func promises(mechanism string, capacity float64, pool, maxOut Report) []Condition {
	what := func(s string) string { return fmt.Sprintf("%s at 3x, %s", mechanism, s) }
	return append(kept(mechanism+" at 3x", capacity, pool),
		atMost(what("refusal, p99"), figureOf(pool.Refusal.p99()), 1, "ms"),
		atMost(what("lateness of a 1 ms heartbeat, p99"), figureOf(pool.Heartbeat.p99()), 5, "ms"),
		atMost(what("lateness of an HTTP endpoint, p99"), figureOf(pool.Endpoint.p99()), 5, "ms"),
		atMost(what("goodput of max_out at the same rate"), 100*maxOut.Goodput/capacity, 10, "%"))
}

// figureOf is *v, or noFigure of nil.
func figureOf(v *float64) float64 {
	if v == nil {
		return noFigure
	}
	return *v
}

func percent(n, of int64) float64 {
	if of == 0 {
		return noFigure
	}
	return 100 * float64(n) / float64(of)
}

// Factors are the offered loads of a sweep, in capacities of the pool with one hash at a time.
var Factors = []float64{0.2, 0.5, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5}

// makeSweep offers each mechanism each load. All rates are multiples of one capacity, so that all mechanisms meet the
// same requests.
func makeSweep(ctx context.Context, m *maker) error {
	m.of = 2 + len(Factors)*len(Mechanisms)
	base, err := m.capacity(ctx, Pool, m.Duration)
	if err != nil {
		return err
	}
	if _, err := m.capacity(ctx, PoolLanes, m.Duration); err != nil {
		return err
	}
	for _, factor := range Factors {
		for _, mechanism := range Mechanisms {
			if _, err := m.add(ctx, m.offered(mechanism, factor*base, m.Duration/4)); err != nil {
				return err
			}
		}
	}
	return nil
}
