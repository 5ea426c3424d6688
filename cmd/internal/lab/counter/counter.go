// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package counter is the generator of Plan 9's /dev/random (golang/go#10028) under the health tests
// of NIST SP 800-90B: a loop counts while a clock ticks, and each tick folds 2 bits of the count
// into a byte. It is tested, and no source: what it makes depends on the ratio of two clocks.
package counter

import (
	"crypto/rand"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fount/cmd/internal/lab"
)

// Study is fount bench counter.
var Study = lab.Study{Name: "counter", About: "Plan 9's generator, a counter that a clock samples, under health tests", Time: 10 * time.Second, Run: run}

// A counter counts until it is stopped.
type counter struct {
	tick  time.Duration
	next  time.Time
	count atomic.Uint64
	ended atomic.Bool
	loop  sync.WaitGroup
}

// start starts the loop. Its clock has so long a tick.
func start(tick time.Duration) *counter {
	c := &counter{tick: tick, next: time.Now()}
	c.loop.Go(func() {
		for !c.ended.Load() {
			c.count.Add(1)
		}
	})
	return c
}

// stop ends the loop and not the clock: from then on each count is 0.
func (c *counter) stop() {
	c.ended.Store(true)
	c.loop.Wait()
	c.count.Store(0)
}

// sample waits for the clock and returns the 2 low bits of the count since the tick before.
func (c *counter) sample() byte {
	c.next = c.next.Add(c.tick)
	if c.tick >= time.Millisecond {
		time.Sleep(time.Until(c.next))
	}
	for time.Now().Before(c.next) { // a sleep wakes up to a millisecond late, and never early
	}
	return byte(c.count.Swap(0) & 3)
}

// What the tests of SP 800-90B, section 4.4, are made for: samples of 2 bits, each as good as
// random, of which a sound source fails with a probability of 2^-40.
const (
	bits   = 2
	alpha  = 1.0 / (1 << 40)
	window = 512 // samples of the adaptive proportion test, which counts the first
)

// The cutoffs: a test fails at so many.
var (
	repetition = 1 + int(math.Ceil(math.Log2(1/alpha)/bits))
	proportion = cutoff(window, math.Exp2(-bits), alpha)
)

// cutoff returns the least number c for which c hits or more among so many samples are as rare as
// alpha, if each sample hits with probability p (1 + CRITBINOM).
func cutoff(samples int, p, alpha float64) int {
	tail := 0.0
	for k := samples; k >= 0; k-- {
		all, _ := math.Lgamma(float64(samples + 1))
		hit, _ := math.Lgamma(float64(k + 1))
		rest, _ := math.Lgamma(float64(samples - k + 1))
		tail += math.Exp(all - hit - rest + float64(k)*math.Log(p) + float64(samples-k)*math.Log(1-p))

		if tail > alpha {
			return k + 1
		}
	}
	return 0
}

// longest is the longest run of equal samples.
func longest(samples []byte) (most int) {
	run := 0
	for i, s := range samples {
		run++
		if i > 0 && s != samples[i-1] {
			run = 1
		}
		most = max(most, run)
	}
	return most
}

// mostOfWindow is the most that the first sample of a window comes in it.
func mostOfWindow(samples []byte) (most int) {
	for w := range slices.Chunk(samples, window) {
		n := 0
		for _, s := range w {
			if s == w[0] {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func run(r *lab.Run) {
	g := lab.Group{
		Name: fmt.Sprintf("Samples of 2 bits: SP 800-90B fails a source at %d equal ones, and at %d like the first of %d",
			repetition, proportion, window),
		Columns: []lab.Column{{Name: "like the first"}, {Name: "equal in a row"}, {Name: "windows"}},
	}

	var ways []lab.Way
	add := func(name string, windows int, open func() (sample func() byte, stop func())) {
		turn := func(int) ([]float64, error) {
			sample, stop := open()
			defer stop()
			return test(windows, sample), nil
		}
		ways = append(ways, lab.Way{Row: lab.Row{Name: name, Base: len(ways)}, Turn: turn})
	}

	add("the kernel", 48, func() (func() byte, func()) {
		b := make([]byte, 1)
		sample := func() byte {
			rand.Read(b)
			return b[0] & 3
		}
		return sample, func() {}
	})

	tick := func(name string, windows int, d time.Duration) {
		add(name, windows, func() (func() byte, func()) {
			c := start(d)
			return c.sample, c.stop
		})
	}

	tick("a tick of 2µs", 6, 2*time.Microsecond)
	tick("a tick of 100µs", 6, 100*time.Microsecond)
	tick("a tick of 1ms", 4, time.Millisecond)
	if !r.Quick {
		tick("a tick of 13ms, Plan 9's", 1, 13*time.Millisecond)
	}

	add("a counter that is stuck", 1, func() (func() byte, func()) {
		c := start(time.Microsecond)
		c.stop()
		return c.sample, func() {}
	})

	r.Turns(g, 1, ways)
}

// test returns the columns' figures of that many windows.
func test(windows int, sample func() byte) []float64 {
	list := make([]byte, windows*window)
	for i := range list {
		list[i] = sample()
	}
	return []float64{float64(mostOfWindow(list)), float64(longest(list)), float64(windows)}
}
