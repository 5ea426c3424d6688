// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The bars that fount has set itself, held against the results.

import (
	"fmt"
	"strings"

	"fount/bench/peers"
	"fount/internal/judge"
	"fount/lab/measure"
)

const gainBar = 0.95 // of the number of cores, at least: 1.9 on two

// A ceiling is what a task may cost on one core, relative to a peer's.
type ceiling struct {
	task  peers.Task
	who   string
	base  string
	most  float64
	about string // most as it is thought of
}

// ceilings are for AVX-512 and a machine whose clones are noticed.
var ceilings = []ceiling{
	{peers.Nonce, "fount", "crypto/rand", 1 / 6., "1/6"},
	{peers.Nonce, "fount", "frand", 1 / 2.8, "1/2.8"},
	{peers.Nonce, "fount.Generator", "fount", 0.85, "0.85"},
	{peers.Uint64, "fount", "math/rand/v2", 1 / 1.2, "1/1.2"},
	{peers.IntN, "fount", "math/rand/v2", 1 / 1.1, "1/1.1"},
	{peers.UUID, "fount", "google/uuid pool", 1 / 4.5, "1/4.5"},
	{peers.UUIDString, "fount", "google/uuid pool", 0.5, "1/2"},
	{peers.Text, "fount", "crypto/rand", 0.4, "1/2.5"},
	{peers.Read(4 << 10), "fount", "crypto/rand", 1 / 7., "1/7"},
	{peers.Read(1 << 20), "fount", "crypto/rand", 1 / 8.5, "1/8.5"},
	{peers.Read(1 << 20), "fount", "crypto/rand FIPS", 1, "1"},
}

// checks returns a line for each bar, as far as it was measured. Their verdicts are one family of package judge. Each
// round ran in a process of its own.
func checks(r *Result) []string {
	var b bars
	costs, gains := checkCosts(r, &b), checkGain(r, &b)
	b.family.Decide()
	var lines []string
	for _, line := range append(costs, gains...) {
		lines = append(lines, line())
	}
	return append(lines, checkAllocs(r)...)
}

// failures returns a line for each peer that failed at a task.
func failures(r *Result) (lines []string) {
	for _, s := range r.Series {
		if s.Error != "" {
			lines = append(lines, fmt.Sprintf("%s of %s was not measured: %s.", s.Task, s.Peer, s.Error))
		}
	}
	return lines
}

// bars are what is judged together.
type bars struct{ family judge.Family }

// A said is what is said of a bar: it waits until all are judged.
type said func() string

// atMost and atLeast enter values, one a round, for a bar, and return the verdict to come: held where they are on its side for
// sure, missed where they are on the other.
func (b *bars) atMost(most float64, values []float64) said {
	v := b.family.Add(judge.Split(values).Estimate(), most)
	return func() string { return verdict(v.Below(), v.Above()) }
}

func (b *bars) atLeast(least float64, values []float64) said {
	v := b.family.Add(judge.Split(values).Estimate(), least)
	return func() string { return verdict(v.Above(), v.Below()) }
}

// checkCosts holds costs against those of peers.
func checkCosts(r *Result, b *bars) (lines []said) {
	for _, c := range ceilings {
		who, base := peer(c.who), peer(c.base)
		if !r.has(c.task, who, base) {
			continue
		}
		ratios := r.ratios(c.task, who, base)
		text := fmt.Sprintf("%s, %s to %s: %s to %s = %s; at most %s = %.3f: ",
			c.task.Title, c.who, c.base, times(r.cost(c.task, who, false).Median), times(r.cost(c.task, base, false).Median),
			between(3, measure.Of(ratios...)), c.about, c.most)
		is := b.atMost(c.most, ratios)
		lines = append(lines, func() string { return text + is() + "." })
	}
	return lines
}

// checkGain holds what all cores draw against what one draws.
func checkGain(r *Result, b *bars) (lines []said) {
	if r.Cores < 2 {
		return []said{func() string { return "What several cores gain was not measured: GOMAXPROCS was 1." }}
	}
	least := gainBar * float64(r.Cores)
	for _, p := range []peers.Peer{peer("fount"), peer("fount.Generator")} {
		if !r.has(peers.Nonce, p) {
			continue
		}
		cpu, clock := r.gains(peers.Nonce, p)
		text := fmt.Sprintf("16-byte nonces on %d cores to one, %s; at least %.2f:", r.Cores, p.Name, least)
		byCPU := func() string { return "" }
		share := 1.0
		if r.cpu() {
			_, share = r.share()
			is := b.atLeast(least, cpu)
			byCPU = func() string {
				return fmt.Sprintf(" by CPU time %s: %s; the goroutines had the cores for %.0f %% of the time, and", between(2, measure.Of(cpu...)), is(), 100*share)
			}
		}
		if r.cpu() && share < measure.QuietShare {
			lines = append(lines, func() string { return text + byCPU() + " by the clock: not judged." })
			continue
		}
		is := b.atLeast(least, clock)
		lines = append(lines, func() string {
			return text + byCPU() + fmt.Sprintf(" by the clock %s: %s.", between(2, measure.Of(clock...)), is())
		})
	}
	return lines
}

// checkAllocs looks for allocations: one for each string, none for anything else.
func checkAllocs(r *Result) []string {
	checked := 0
	var wrong []string
	for _, task := range peers.Tasks() {
		want := 0.0
		if task.Name == peers.UUIDString.Name || task.Name == peers.Text.Name {
			want = 1
		}
		for _, p := range []peers.Peer{peer("fount"), peer("fount.Generator"), peer("fount.Strict")} {
			s := r.get(task, p, false)
			if s == nil {
				continue
			}
			checked++
			if s.Allocations != want {
				wrong = append(wrong, fmt.Sprintf("%s of %s makes %.0f instead of %.0f", task.Name, p.Name, s.Allocations, want))
			}
		}
	}
	if checked == 0 {
		return nil
	}
	line := fmt.Sprintf("Allocations of fount, 1 for a string and else 0, in %d tasks: %s", checked, verdict(len(wrong) == 0, len(wrong) > 0))
	if len(wrong) > 0 {
		line += ": " + strings.Join(wrong, ", ")
	}
	return []string{line + "."}
}

func verdict(held, missed bool) string {
	switch {
	case held:
		return "held"
	case missed:
		return "missed"
	}
	return "undecided"
}
