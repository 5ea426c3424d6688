// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package equal simulates measurements of methods that cost the same, on machines that are quiet and on others, so that
// tests can count how often a judge says that something differs. A number of trials with fixed seeds gives the same
// counts everywhere.
package equal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"fount/internal/judge"
)

// A Machine is what disturbs measurements. Costs are 1 but for it; all spreads are standard deviations of logarithms.
type Machine struct {
	Name string

	noise  float64 // of each turn
	spikes float64 // share of turns that take longer, up to three times
	wander float64 // of the machine's speed, with 0.9 of it kept from turn to turn
	phase  float64 // of each method in each phase of 200 ms: what comparing rounds does not take out
	beat   float64 // by so much longer takes each turn that something periodic meets, one in so many as there are methods, less one
}

// Machines are a quiet one and those whose noise has a form of its own.
func Machines() []Machine {
	return []Machine{
		{Name: "quiet", noise: 0.01},
		{Name: "spiky", noise: 0.01, spikes: 0.05},
		{Name: "wandering", noise: 0.01, wander: 0.05},
		{Name: "beating", noise: 0.01, beat: 0.03},
		{Name: "in phases", noise: 0.01, phase: 0.03},
		{Name: "all of it", noise: 0.02, spikes: 0.05, wander: 0.05, beat: 0.02, phase: 0.02},
	}
}

const phase = 200 * time.Millisecond

// Rounds are the costs of so many equal methods in so many rounds, by method. In each round every method has a turn: in
// shuffled order, or as it once was, each one after the same other, and each round begun by the next one.
func (m Machine) Rounds(rng *rand.Rand, methods, rounds int, turnTime time.Duration, shuffled bool) [][]float64 {
	values, phases := make([][]float64, methods), make([]float64, methods)
	speed, turn, next := m.wander*rng.NormFloat64(), rng.IntN(1000), 0
	for round := range rounds {
		for k := range methods {
			values[k] = append(values[k], 0)
		}
		order := rng.Perm(methods)
		for k := range order {
			i := order[k]
			if !shuffled {
				i = (k + round) % methods
			}
			if next--; next < 0 {
				next = int(phase / turnTime)
				for k := range phases {
					phases[k] = m.phase * rng.NormFloat64()
				}
			}
			values[i][round] = m.turn(rng, speed+phases[i], turn, methods)
			speed = 0.9*speed + math.Sqrt(1-0.81)*m.wander*rng.NormFloat64()
			turn++
		}
	}
	return values
}

// turn is the cost in one turn.
func (m Machine) turn(rng *rand.Rand, speed float64, turn, methods int) float64 {
	log := speed + m.noise*rng.NormFloat64()
	if rng.Float64() < m.spikes {
		log += rng.Float64() * math.Log(3)
	}
	if m.beat > 0 && turn%max(2, methods-1) == 0 {
		log += m.beat
	}
	return math.Exp(log)
}

// Test holds that at most [judge.Level] of trials hold a false claim, on every machine, for each of some claims on equal
// methods; now says which of them are made in a trial. was is the judge before, the control: each of its claims must be
// beyond that on some machine. Each trial has a fixed seed, so that a test which holds once always does. It makes 200
// trials, the control's on as few machines as catch it, or 4,000 where it may take long, and logs a line for each claim.
func Test(t *testing.T, long bool, claims []string, now, was func(Machine, *rand.Rand) []bool) {
	t.Helper()
	trials := 200
	if long {
		trials = 4_000
	}
	most := mostOf(trials, judge.Level)
	caught := make([]bool, len(claims))
	for _, m := range Machines() {
		is, were := Count(trials, len(claims), m, now), make([]int, len(claims))
		if long || slices.Contains(caught, false) {
			were = Count(trials, len(claims), m, was)
		}
		for i, claim := range claims {
			share := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(trials)) }
			if long {
				t.Logf("| %s | %s | %s | %s |", claim, m.Name, share(were[i]), share(is[i]))
			}
			if is[i] > most {
				t.Errorf("%s, on a machine that is %s: %d of %d are false, want at most %d", claim, m.Name, is[i], trials, most)
			}
			caught[i] = caught[i] || were[i] > most
		}
	}
	for i, claim := range claims {
		if !caught[i] {
			t.Errorf("%s: the judge as it was is caught on no machine", claim)
		}
	}
}

// Count makes trials on all cores, each with a seed of its own, and counts how often each of n claims was made.
func Count(trials, n int, m Machine, of func(Machine, *rand.Rand) []bool) []int {
	made := make([][]bool, trials)
	var ended sync.WaitGroup
	for k := range runtime.GOMAXPROCS(0) {
		ended.Go(func() {
			for trial := k; trial < trials; trial += runtime.GOMAXPROCS(0) {
				made[trial] = of(m, rand.New(rand.NewPCG(uint64(trial), 17)))
			}
		})
	}
	ended.Wait()
	counts := make([]int, n)
	for _, claims := range made {
		for i, is := range claims {
			if is {
				counts[i]++
			}
		}
	}
	return counts
}

// mostOf is how many of so many trials may hold a false claim if it has that probability: more do in one of 1,000 tests.
func mostOf(trials int, level float64) int {
	term := math.Exp(float64(trials) * math.Log1p(-level))
	for n, sum := 0, term; ; n++ {
		if sum >= 0.999 {
			return n
		}
		term *= float64(trials-n) / float64(n+1) * level / (1 - level)
		sum += term
	}
}
