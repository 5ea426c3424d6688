// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The simulation of equal methods: how often a bar is held or missed where the cores gain exactly the bar, and how often
// stalls differ where they do not.

package scale

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"fount/internal/judge/equal"
	"fount/lab/measure"
)

// atTheBar is a Result whose cores gain exactly the bar, but for the noise, in runs that differ as much as rounds do.
func atTheBar(m equal.Machine, rng *rand.Rand) Result {
	r := Result{Cores: 2, Rounds: 32, Runs: 8}
	for _, mode := range []string{Threads, Processes} {
		turns := m.Rounds(rng, 2*len(judgedMethods), r.Rounds, 220*time.Millisecond, true) // a quarter of a round
		for pair := range slices.Chunk(turns, 2) {                                         // of one thread, and of two
			values, run := measure.Over(pair[0], pair[1]), 0.0
			for i := range values {
				if i%4 == 0 {
					run = 0.02 * rng.NormFloat64()
				}
				values[i] *= gainBar * 2 * (1 + run)
			}
			name := judgedMethods[len(r.Series)%len(judgedMethods)]
			one := measure.Of(1)
			r.Series = append(r.Series, Series{Method: name, Size: 16, Mode: mode, Points: []Point{{Threads: 1, Share: one},
				{Threads: 2, Speedup: measure.ByRun(values, 4), Share: one}}})
		}
	}
	return r
}

// equalTail is a TailResult of methods that meet equal stalls, about 80 a turn and one long one.
func equalTail(m equal.Machine, rng *rand.Rand) TailResult {
	var r TailResult
	var rates [][][]float64
	for range thresholds {
		rates = append(rates, m.Rounds(rng, 4, 75, 100*time.Millisecond, true))
	}
	for i, name := range []string{TailFount, TailCrypto, TailChannel, TailClock} {
		t := TailMethod{Name: name}
		for k, above := range thresholds {
			var turns []float64
			for _, rate := range rates[k][i] {
				n := 0.0
				for left := rate * []float64{80, 8, 1}[k]; ; n++ { // Poisson's
					if left -= rng.ExpFloat64(); left < 0 {
						break
					}
				}
				turns = append(turns, n)
			}
			t.Stalls = append(t.Stalls, Stalls{AboveNS: float64(above), PerS: measure.ByRun(means(turns), 1)})
		}
		r.Methods = append(r.Methods, t)
	}
	return r
}

func TestEqualMethods(t *testing.T) {
	equal.Test(t, os.Getenv("FOUNT_LONG") == "1", []string{"bench scale: a bar held where the gain is the bar", "bench scale: a bar held or missed there"},
		func(m equal.Machine, rng *rand.Rand) []bool {
			held, judged := false, false
			for _, c := range atTheBar(m, rng).Checks() {
				held, judged = held || c.Held, judged || c.Judged
			}
			return []bool{held, judged}
		},
		func(m equal.Machine, rng *rand.Rand) []bool {
			held := false
			for _, s := range atTheBar(m, rng).Series {
				held = held || measure.Of(s.Points[1].Speedup.Values...).Median >= gainBar*2
			}
			return []bool{held, true} // one or the other, always
		})
	equal.Test(t, os.Getenv("FOUNT_LONG") == "1", []string{"bench scale --tail: more or fewer stalls than another"},
		func(m equal.Machine, rng *rand.Rand) []bool {
			for _, c := range equalTail(m, rng).Checks() {
				if c.Judged {
					return []bool{true}
				}
			}
			return []bool{false}
		},
		// Percentiles of draws at 69 and 142 ns, for which TestEqualStallsAtUnequalRates has the whole way: 800 stalls a
		// second are beyond the 99.99th of the one alone, whatever the noise.
		func(m equal.Machine, rng *rand.Rand) []bool {
			stalls := equalTail(m, rng).Methods[0].Stalls[0].PerS.Median * 10
			return []bool{(stalls > 1e-4*1e9/142) != (stalls > 1e-4*1e9/69)}
		})
}
