// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What must hold of the chosen route, whatever the fleet and its load. Calls that have not just one outcome in their
// deadline, and workers whose counts don't add up, are faults of their own.
const (
	idle    = "goodput is low"
	late    = "who is let in is answered too late"
	slow    = "goodput stays low after a fault"
	unheard = "calls end without a word"
)

// draw writes the scenario of a seed.
func draw(seed uint64) scenario {
	rng := rand.New(rand.NewPCG(seed, 77))
	s := scenario{
		name:    fmt.Sprint(seed),
		clients: 1 << rng.IntN(7),
		rtt:     time.Duration(40e3 * math.Exp(rng.Float64()*math.Log(125))), // 40 µs to 5 ms
		lasts:   7 * time.Second,
	}
	for range 2 + rng.IntN(4) {
		s.machines = append(s.machines, machine{1, []float64{1, 0.5, 0.25}[rng.IntN(3)]})
	}
	st := stream{load: 0.5 + 3*rng.Float64(), principals: 1 + rng.IntN(1000), burst: rng.IntN(4) == 0}
	if rng.IntN(2) == 0 {
		st.mix = []float64{0.6, 0.4}
	}
	if rng.IntN(3) == 0 {
		st.leave = 0.3 * rng.Float64()
	}
	s.streams = []stream{st}
	if rng.IntN(4) == 0 {
		s.streams = append(s.streams, stream{load: 2 * rng.Float64(), principals: 1, flood: true})
	}
	if what := []string{"", "kill", "hang", "throttle", "partition", "drain", "broker", "", "", ""}[rng.IntN(10)]; what != "" {
		lasts := time.Duration(500+rng.IntN(1500)) * ms
		if what == "broker" {
			lasts /= 4 // without one for a second nobody can be told anything
		}
		s.faults = []fault{{what, rng.IntN(len(s.machines)), warm + time.Duration(rng.IntN(1000))*ms, lasts}}
	}
	return s
}

// verdicts are what is wrong with a run.
func verdicts(s scenario, f figures) (wrong []string) {
	wrong = slices.Clone(f.broken)
	load := 0.0
	for _, st := range s.streams {
		load += st.load
	}
	faulty, bursts, least := len(s.faults) > 0, s.streams[0].burst, 0.9
	if bursts {
		least = 0.8 // nobody asks for 300 ms, which is MaxWait, and some who wait leave meanwhile
	}
	// A quarter of a quarter of a core takes 0.7 s for one hash: no bar is set for that.
	crawls := faulty && s.faults[0].what == "throttle" && s.machines[s.faults[0].worker].quota < 0.5
	switch {
	case f.goodput < least && load >= 2.5 && !faulty:
		wrong = append(wrong, fmt.Sprintf("%s: %.2f", idle, f.goodput))
	case f.inTime < 0.98 && !faulty && len(s.streams) == 1:
		wrong = append(wrong, fmt.Sprintf("%s: %.3f", late, f.inTime))
	case f.heal > 2*time.Second && load > 1.5 && !bursts && !crawls:
		wrong = append(wrong, fmt.Sprintf("%s: %v", slow, f.heal))
	}
	if part := float64(f.expired) / float64(max(f.submitted, 1)); part > 0.02 {
		wrong = append(wrong, fmt.Sprintf("%s: %.4f", unheard, part))
	}
	return wrong
}

// runs returns the seeds to play.
func runs(t *testing.T, n int) (seeds []uint64) {
	t.Helper()
	number := func(name string, or uint64) uint64 {
		v, err := strconv.ParseUint(os.Getenv(name), 10, 64)
		if os.Getenv(name) == "" {
			return or
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return v
	}
	if os.Getenv("FOUNT_SEED") != "" {
		return []uint64{number("FOUNT_SEED", 0)}
	}
	first := number("FOUNT_FIRST", 0)
	for i := range number("FOUNT_RUNS", uint64(n)) {
		seeds = append(seeds, first+i)
	}
	return seeds
}

// TestAdversary plays fleets, loads and faults drawn at random:
//
//	FOUNT_SEED=12 go test -run TestAdversary -v ./password/internal/fleet
//
// repeats one, FOUNT_RUNS=10000 plays more.
func TestAdversary(t *testing.T) {
	n := 15
	switch {
	case os.Getenv("FOUNT_LONG") != "":
		n = 200 // half a minute of a core
	case raceEnabled:
		n = 4
	}
	for _, seed := range runs(t, n) {
		s := draw(seed)
		f := play(t, s, chosen, seed, mistakes{})
		if os.Getenv("FOUNT_SEED") != "" {
			t.Logf("%+v\n%+v", s, f)
		}
		if wrong := verdicts(s, f); len(wrong) > 0 {
			t.Errorf("seed %d: %s", seed, strings.Join(wrong[:min(3, len(wrong))], "; "))
		}
	}
}
