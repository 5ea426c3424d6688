// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The bars that fount has set itself, held against the results.

import (
	"fmt"
	"slices"
	"strings"

	"fount/bench/peers"
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

// checks returns a line for each bar, as far as it was measured.
func checks(r *results) []string {
	return slices.Concat(checkCosts(r), checkGain(r), checkAllocs(r))
}

// checkCosts holds costs against those of peers.
func checkCosts(r *results) (lines []string) {
	for _, b := range ceilings {
		who, base := peer(b.who), peer(b.base)
		if !r.has(b.task, who, base) {
			continue
		}
		ratio := r.ratio(b.task, who, base)
		lines = append(lines, fmt.Sprintf("%s, %s to %s: %s to %s = %s; at most %s = %.3f: %s.",
			b.task.Title, b.who, b.base, seconds(r.cost(b.task, who, false).Center), seconds(r.cost(b.task, base, false).Center),
			betweenTo(3, ratio), b.about, b.most, verdict(ratio.Center <= b.most)))
	}
	return lines
}

// checkGain holds what all cores draw against what one draws.
func checkGain(r *results) (lines []string) {
	if r.cores < 2 {
		return []string{"What several cores gain was not measured: GOMAXPROCS was 1."}
	}
	least := gainBar * float64(r.cores)
	for _, p := range []peers.Peer{peer("fount"), peer("fount.Generator")} {
		if !r.has(peers.Nonce, p) {
			continue
		}
		cpu, clock := r.gain(peers.Nonce, p)
		line := fmt.Sprintf("16-byte nonces on %d cores to one, %s; at least %.2f:", r.cores, p.Name, least)
		if r.cpu {
			_, share := r.share()
			line += fmt.Sprintf(" by CPU time %s: %s; the goroutines had the cores for %.0f %% of the time, and", between(cpu),
				verdict(cpu.Center >= least), 100*share)
		}
		lines = append(lines, line+fmt.Sprintf(" by the clock %s: %s.", between(clock), verdict(clock.Center >= least)))
	}
	return lines
}

// checkAllocs looks for allocations: one for each string, none for anything else.
func checkAllocs(r *results) []string {
	checked := 0
	var wrong []string
	for _, task := range peers.Tasks() {
		want := 0.0
		if task.Name == peers.UUIDString.Name || task.Name == peers.Text.Name {
			want = 1
		}
		for _, p := range []peers.Peer{peer("fount"), peer("fount.Generator"), peer("fount.Strict")} {
			for _, all := range []bool{false, true} {
				s := r.get(task, p, all)
				if s == nil {
					continue
				}
				checked++
				if most := slices.Max(s.allocs); most != want {
					wrong = append(wrong, fmt.Sprintf("%s of %s makes %.0f instead of %.0f", task.Name, p.Name, most, want))
				}
			}
		}
	}
	if checked == 0 {
		return nil
	}
	line := fmt.Sprintf("Allocations of fount, 1 for a string and else 0, in %d benchmarks: %s", checked, verdict(len(wrong) == 0))
	if len(wrong) > 0 {
		line += ": " + strings.Join(wrong, ", ")
	}
	return []string{line + "."}
}

func verdict(held bool) string {
	if held {
		return "held"
	}
	return "missed"
}
