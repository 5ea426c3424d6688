// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package blowfish

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// implementations are the kernels that can run here.
var implementations = map[string][MaxLanes + 1]kernel{"Go": inGo, "this CPU's": kernels}

func randomStates(r *rand.ChaCha8) *states {
	s := new(states)
	for i := range s {
		for j := range s[i] {
			s[i][j] = uint32(r.Uint64())
		}
	}
	return s
}

// Each kernel does to the first k states what encrypt does to each alone, and
// nothing to the others.
func TestKernels(t *testing.T) {
	for name, kernels := range implementations {
		for k := 1; k <= MaxLanes; k++ {
			r := seeded(4)
			for range 3 {
				got := randomStates(r)
				want := new(states)
				*want = *got
				for i := range k {
					var left, right uint32
					for n := 0; n < words; n += 2 {
						left, right = want[i].encrypt(left, right)
						want[i][n], want[i][n+1] = left, right
					}
				}
				kernels[k](got)
				for i := range got {
					if got[i] != want[i] {
						t.Errorf("%s kernel of %d lanes: state %d is wrong", name, k, i)
					}
				}
			}
		}
	}
}

// What is measured here, and the tables, can be: more lanes take no less time, and no more than one
// by one.
func TestWidths(t *testing.T) {
	here := relative()
	for name, widths := range map[string]times{"here": here, "assembly or Go": assumed(), "Go": relativeInGo} {
		if !widths.plausible() || widths[1] != 1 {
			t.Errorf("%s: %v", name, widths)
		}
	}
	t.Logf("%.3f, best %d", here[1:], Best())
}

// A neighbour on the core, who takes from wide batches alone, does not make them narrow for ever; a
// processor on which they do not pay does. The first was measured on one.
func TestNeighboursDoNotNarrow(t *testing.T) {
	for _, c := range []struct {
		widths times
		want   int
	}{
		{times{1: 1, 2: 1.043, 3: 1.183, 4: 1.577, 5: 1.990}, 5},
		{times{1: 1, 2: 1.01, 3: 1.37, 4: 1.84, 5: 3.03}, 3},
		{times{1: 1, 2: 1.1, 3: 1.7, 4: 3, 5: 5}, 2},
	} {
		if got := c.widths.best(5); got != c.want {
			t.Errorf("%v: %d lanes; want %d", c.widths, got, c.want)
		}
	}
	wide := times{1: 1, 2: 1.1, 3: 1.2, 4: 1.3, 5: 1.4}
	if got := wide.best(4); got != 5 {
		t.Errorf("%v: %d lanes, usual are 4; want 5, which are better", wide, got)
	}
	near := times{1: 1, 2: 1.1, 3: 1.2, 4: 1.4, 5: 1.73}
	if got := near.best(4); got != 4 {
		t.Errorf("%v: %d lanes, usual are 4; want 4, as the fifth gains hardly anything", near, got)
	}
}

func assumed() times { _, t := forThisCPU(); return t }

// Processors of which the times are known get their best width, also when every run but one in four
// is disturbed.
func TestMeasure(t *testing.T) {
	r := rand.New(seeded(8))
	for _, cpu := range []struct {
		name string
		want times // µs for one: 26
		best int
	}{
		{"Cascade Lake", times{1: 1, 2: 1.09, 3: 1.23, 4: 1.43, 5: 1.66}, 5},
		{"Zen 5", times{1: 1, 2: 1, 3: 1.02, 4: 1.27, 5: 1.35}, 5},
		{"Go on Cascade Lake", relativeInGo, 4},
		{"Go on 386", times{1: 1, 2: 1.01, 3: 1.37, 4: 1.84, 5: 3.03}, 3},
		{"no lanes", times{1: 1, 2: 2, 3: 3, 4: 4, 5: 5}, 1},
	} {
		runs := 0
		got := measure(func(k int) time.Duration {
			took := time.Duration(cpu.want[k] * 26_000)
			if runs++; runs%4 != 0 { // each width is undisturbed in six rounds of the 24
				took += time.Duration(r.Int64N(100_000))
			}
			return took
		})
		if !got.plausible() || got.best(1) != cpu.best {
			t.Errorf("%s: measured %v, best %d; want %v, %d", cpu.name, got, got.best(1), cpu.want, cpu.best)
		}
		for k := 1; k <= MaxLanes; k++ {
			if math.Abs(got[k]-cpu.want[k]) > 1e-3 {
				t.Errorf("%s: %d lanes take %v; want %v", cpu.name, k, got[k], cpu.want[k])
			}
		}
	}
}

// Where nothing can be measured the table counts.
func TestMeasureNothing(t *testing.T) {
	for name, run := range map[string]func(k int) time.Duration{
		"the clock stands still": func(int) time.Duration { return 0 },
		"only one is disturbed":  func(k int) time.Duration { return []time.Duration{0, 26, 28, 500, 37, 43}[k] },
	} {
		if got := measure(run); got.plausible() {
			t.Errorf("%s: %v passes for times of a processor", name, got)
		}
	}
}
