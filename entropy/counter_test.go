// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The counter of golang/go#10028 under the health tests of jitter, which turns its idea round. It is no source of this package.

package entropy

import (
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"fount/internal/test/counter"
)

// health81 is jitter's tests, for H = 1/2 bit a sample.
func health81() health { return newHealth(jitterRepetition, jitterProportion) }

// A counter that is stuck fails at the 81st equal sample, and one in step with its clock too. One that counts one more at every
// second tick passes and is known in advance: that is what a pass does not say.
func TestCounterHealth(t *testing.T) {
	c := counter.Start(time.Microsecond)
	defer c.Stop()
	c.Stick()
	for name, test := range map[string]struct {
		tick func() uint64
		want int
	}{
		"stuck":      {c.Tick, jitterRepetition - 1},
		"in step":    {func() uint64 { return 1300 }, jitterRepetition - 1},
		"one in two": {everySecond(), -1},
	} {
		var samples []uint64
		for range 4 * healthWindow {
			samples = append(samples, test.tick()&0xff)
		}
		at, err := failsAt(health81(), samples)
		if at != test.want || at >= 0 && !strings.HasPrefix(err.Error(), "repetition count test") {
			t.Errorf("%s: fails at %d (%v), want %d", name, at, err, test.want)
		}
	}
}

func everySecond() func() uint64 {
	n := uint64(0)
	return func() uint64 { n ^= 1; return 1300 + n }
}

// TestCounterFigures makes the table of docs/results/counter.md: it shows and demands only what is so on every machine.
//
//	FOUNT_LONG=1 go test -count=1 -v -run CounterFigures ./entropy
func TestCounterFigures(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this counts for a minute")
	}
	t.Logf("%10s %8s %8s %10s  %-16s %s", "tick", "ticks", "bits/s", "count", "min-entropy a tick, of 2 bits: mcv, after the one before", "health")
	for _, run := range []struct {
		tick  time.Duration
		ticks int
	}{{13 * time.Millisecond, 2048}, {time.Millisecond, 10_000}, {100 * time.Microsecond, 100_000}, {10 * time.Microsecond, 500_000}, {2 * time.Microsecond, 1_000_000}} {
		c := counter.Start(run.tick)
		samples, sum, begin := make([]uint64, run.ticks), 0.0, time.Now()
		for i := range samples {
			n := c.Tick()
			sum += float64(n)
			samples[i] = n
		}
		took := time.Since(begin)
		c.Stop()
		low, byEight := make([]uint64, run.ticks), make([]uint64, run.ticks)
		for i, n := range samples {
			low[i], byEight[i] = n&3, n&0xff
		}
		verdict := "ok"
		if at, err := failsAt(health81(), byEight); at >= 0 {
			verdict = err.Error()
		}
		common, next := mostCommon(low), afterBefore(low)
		t.Logf("%10v %8d %8.0f %10.0f  %.2f %.2f  %s", run.tick, run.ticks, 2*float64(run.ticks)/took.Seconds(), sum/float64(run.ticks), common, next, verdict)
		if common < 0 || common > 2 || next < 0 || next > 2 {
			t.Errorf("%v: %v and %v bits of 2", run.tick, common, next)
		}
		if rate := 2 / run.tick.Seconds(); 2*float64(run.ticks)/took.Seconds() > 1.01*rate {
			t.Errorf("%v: more bits than 2 a tick", run.tick)
		}
	}
}

// mostCommon is the estimate of SP 800-90B, section 6.3.1.
func mostCommon(samples []uint64) float64 {
	count, most := map[uint64]int{}, 0
	for _, s := range samples {
		count[s]++
		most = max(most, count[s])
	}
	return bounded(most, len(samples))
}

// afterBefore is the same of guesses that know the sample before, and what most often follows it.
func afterBefore(samples []uint64) float64 {
	count, most, right := map[[2]uint64]int{}, map[uint64]int{}, 0
	for i, s := range samples[1:] {
		pair := [2]uint64{samples[i], s}
		count[pair]++
		most[samples[i]] = max(most[samples[i]], count[pair])
	}
	for _, n := range most {
		right += n
	}
	return bounded(right, len(samples)-1)
}

// bounded is the min-entropy for the upper end of the 99 % interval of k in n.
func bounded(k, n int) float64 {
	p := float64(k) / float64(n)
	return -math.Log2(min(1, p+2.576*math.Sqrt(p*(1-p)/float64(n-1))))
}

// Samples of known entropy: a constant has none, and a sequence that is known from the sample before has 2 bits for the one
// estimate and none for the other.
func TestCounterEstimates(t *testing.T) {
	constant, turns := make([]uint64, 1e5), make([]uint64, 1e5)
	for i := range turns {
		turns[i] = uint64(i & 3)
	}
	for name, got := range map[string][2]float64{
		"constant":              {mostCommon(constant), 0},
		"constant, next":        {afterBefore(constant), 0},
		"0, 1, 2, 3 in turn":    {mostCommon(turns), 2},
		"the same, after known": {afterBefore(turns), 0},
	} {
		if math.Abs(got[0]-got[1]) > 0.03 {
			t.Errorf("%s: %v bits, want %v", name, got[0], got[1])
		}
	}
}
