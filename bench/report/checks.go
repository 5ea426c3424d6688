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

const (
	nonceBar = 0.85 // of crypto/rand's cost, at most
	gainBar  = 0.95 // of the number of cores, at least: 1.9 on two
)

// checks returns a line for each bar, as far as it was measured.
func checks(r *results) []string {
	return slices.Concat(checkNonce(r), checkGain(r), checkAllocs(r))
}

// checkNonce holds a nonce's cost against crypto/rand's.
func checkNonce(r *results) (lines []string) {
	base := peer("crypto/rand")
	for _, p := range []peers.Peer{peer("fount"), peer("fount.Generator")} {
		if !r.has(peers.Nonce, p, base) {
			continue
		}
		ratio := r.ratio(peers.Nonce, p, base)
		lines = append(lines, fmt.Sprintf("16-byte nonce on one core, %s to %s: %s to %s = %s; at most %.2f: %s.", p.Name, base.Name,
			seconds(r.cost(peers.Nonce, p, false).Center), seconds(r.cost(peers.Nonce, base, false).Center), between(ratio),
			nonceBar, verdict(ratio.Center <= nonceBar)))
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
