// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// The bcrypt load post's runs, the same for longer, and the same with more and more callers.

import (
	"context"
	"runtime"
)

// postRuns are the post's, in its order: "golang concurrency empirical evidence", 9 December 2015, on a Core 2 Duo. Its text
// speaks of 90 callers and the workers of before; the command that it shows has three.
var postRuns = []struct {
	mechanism                string
	callers, buffer, workers int
	compares                 int64
}{
	{MaxOut, 30, 15, 0, 61},
	{Buffered, 30, 1, 1, 37},
	{Buffered, 30, 2, 1, 37},
	{Buffered, 30, 10, 1, 37},
	{Buffered, 30, 10, 2, 69},
	{Buffered, 30, 10, 3, 70},
	{Buffered, 30, 10, 4, 69},
	{Buffered, 90, 10, 3, 69},
	{MaxOut, 90, 15, 0, 27},
}

// makeTable repeats the post's runs, whose callers fan in; the same with callers that wait for their answers; and, for the
// most callers, other mechanisms.
func makeTable(ctx context.Context, m *maker) error {
	cores := runtime.GOMAXPROCS(0)
	var configs []Config
	add := func(mechanism string, callers, buffer, workers int) *Config {
		c := m.closed(mechanism, callers, workers, m.Duration)
		c.Buffer = buffer
		configs = append(configs, c)
		return &configs[len(configs)-1]
	}
	for _, p := range postRuns {
		add(p.mechanism, p.callers, p.buffer, p.workers).FanIn = p.mechanism == Buffered
	}
	for _, p := range postRuns {
		if p.mechanism == Buffered && p.buffer == 10 {
			add(p.mechanism, p.callers, p.buffer, p.workers)
		}
	}
	for _, mechanism := range []string{Semaphore, Pool, PoolLanes} {
		add(mechanism, 90, Post().Buffer, cores)
	}
	m.of = len(configs)
	for _, c := range configs {
		if _, err := m.add(ctx, c); err != nil {
			return err
		}
	}
	m.study.judgeTable()
	return nil
}

// judgeTable says what of the post's conditions does not matter: how much fits the channel, and whether its callers wait
// for answers.
func (s *Study) judgeTable() {
	finished := func(buffer, workers int, fan bool) float64 {
		for _, r := range s.Runs {
			c := r.Config
			if c.Mechanism == Buffered && c.Callers == 30 && c.Buffer == buffer && c.Workers == workers && c.FanIn == fan && r.Finished != nil {
				return *r.Finished
			}
		}
		return noFigure
	}
	one, two, ten := finished(1, 1, true), finished(2, 1, true), finished(10, 1, true)
	fanned, waiting := finished(10, 2, true), finished(10, 2, false)
	s.Conditions = append(s.Conditions,
		atLeast("one worker, throughput with room for 1, 2 and 10: the least by the greatest",
			100*min(one, two, ten)/max(one, two, ten), 95, "%"),
		atLeast("two workers, throughput of callers that fan in and of callers that wait: the lesser by the greater",
			100*min(fanned, waiting)/max(fanned, waiting), 95, "%"))
}

// makeWindow lets 1,000 callers ask for a while, and waits until the last has its answer. The throughput does not fall
// with the number of goroutines: when the clock stops, nearly all of their work is under way. A count of what has ended
// by then misses it.
func makeWindow(ctx context.Context, m *maker) error {
	const callers = 1000
	m.of = 5
	throughput := make(map[string]float64)
	for _, of := range []struct{ mechanism, engine string }{
		{MaxOut, ""}, {Buffered, ""}, {MaxOut, Fount}, {Pool, ""}, {PoolLanes, ""},
	} {
		c := m.closed(of.mechanism, callers, runtime.GOMAXPROCS(0), m.Duration)
		if c.Engine = of.engine; of.mechanism == MaxOut {
			c.Workers = 0 // it has no limit
		}
		r, err := m.add(ctx, c)
		if err != nil {
			return err
		}
		throughput[of.mechanism+of.engine] = *r.Finished
	}
	for _, pair := range []struct{ what, goroutines, bounded string }{
		{"x/crypto's bcrypt, throughput of 1,000 goroutines by that of a worker for each core", MaxOut, Buffered},
		{"fount's bcrypt, throughput of 1,000 goroutines by that of the pool with one lane", MaxOut + Fount, Pool},
	} {
		m.study.Conditions = append(m.study.Conditions,
			atLeast(pair.what, 100*throughput[pair.goroutines]/throughput[pair.bounded], 95, "%"))
	}
	return nil
}

// moreCallers are the callers for which makeCallers counts.
var moreCallers = []int{1, 2, 5, 15, 30, 60, 90, 180}

// makeCallers runs the post's two mechanisms with more and more callers.
func makeCallers(ctx context.Context, m *maker) error {
	m.of = 2 * len(moreCallers)
	for _, mechanism := range []string{MaxOut, Buffered} {
		for _, callers := range moreCallers {
			c := m.closed(mechanism, callers, 0, m.Duration)
			if mechanism == Buffered {
				c.Workers, c.Buffer, c.FanIn = runtime.GOMAXPROCS(0), 10, true
			}
			if _, err := m.add(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}
