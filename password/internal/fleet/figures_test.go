// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

var (
	quotas = []machine{{1, 1}, {1, 0.5}, {1, 0.25}}
	tenth  = []machine{{5, 1}, {4, 1}, {1, 1}} // the last has a tenth of the cores
)

// ten returns ten machines of which one has a tenth of a core.
func ten() (m []machine) {
	for range 9 {
		m = append(m, machine{1, 1})
	}
	return append(m, machine{1, 0.1})
}

func sixteen() (m []machine) {
	for i := range 16 {
		m = append(m, quotas[i%3])
	}
	return m
}

// on returns a scenario of the three quotas under a load, with changes.
func on(name string, load float64, changes ...func(s *scenario)) scenario {
	s := scenario{name: name, machines: quotas, clients: 4, rtt: 200 * time.Microsecond, lasts: 13 * time.Second,
		streams: []stream{{load: load, principals: 1000}}}
	for _, change := range changes {
		change(&s)
	}
	return s
}

func of(m []machine, clients int) func(s *scenario) {
	return func(s *scenario) { s.machines, s.clients = m, clients }
}

func with(what string, lasts time.Duration) func(s *scenario) {
	return func(s *scenario) { s.faults = append(s.faults, fault{what, 1, 5 * time.Second, lasts}) }
}

func mixed(s *scenario)  { s.streams[0].mix = []float64{0.5, 0.4, 0.1} }
func bursts(s *scenario) { s.streams[0].burst = true }

// flooded has ten principals that ask for 1.2 of the capacity, and floods that ask for three times as much each.
func flooded(floods int) func(s *scenario) {
	return func(s *scenario) {
		s.streams = []stream{{load: 1.2, principals: 10}, {load: 3 * float64(floods), principals: floods, flood: true}}
	}
}

// drawn are the routes of the picture: only they are played with all loads.
var drawn = map[string]bool{"group": true, "group-second": true, "leave": true, "tokens": true, "all-stale": true, "two": true}

// scenarios are those of the table.
func scenarios() (all []scenario) {
	for _, load := range []float64{0.5, 0.8, 1, 1.5, 2, 3, 4} {
		all = append(all, on(fmt.Sprintf("load-%g", load), load))
	}
	all = append(all,
		on("tenth", 1, of(tenth, 4)),
		on("ten", 1, of(ten(), 4)),
		on("sixteen-1", 1, of(sixteen(), 1)),
		on("sixteen-16", 1, of(sixteen(), 16)),
		on("sixteen-64", 1, of(sixteen(), 64)),
		on("bursts", 1, bursts),
		on("mixed-1", 1, mixed),
		on("mixed-3", 3, mixed),
		on("rtt-40us", 3, func(s *scenario) { s.rtt = 40 * time.Microsecond }),
		on("rtt-1ms", 3, func(s *scenario) { s.rtt = ms }),
		on("rtt-5ms", 3, func(s *scenario) { s.rtt = 5 * ms }),
		on("interest-50ms", 1, func(s *scenario) { s.interest = 50 * ms }),
		on("leavers", 3, func(s *scenario) { s.streams[0].leave = 0.2 }),
		on("flood", 0, flooded(1)),
		on("floods", 0, flooded(2)),
		on("flood-sixteen", 0, of(sixteen(), 16), flooded(1)),
	)
	for _, what := range []string{"kill", "hang", "throttle", "partition", "drain"} {
		all = append(all, on(what, 0.7, with(what, 4*time.Second)), on(what+"-3", 3, with(what, 4*time.Second)))
	}
	return append(all, on("broker", 0.7, with("broker", 500*ms)), on("broker-3", 3, with("broker", 500*ms)))
}

// TestFigures writes the table in Go's benchmark format into the file that FOUNT_FIGURES names: ten minutes of a core.
func TestFigures(t *testing.T) {
	name := os.Getenv("FOUNT_FIGURES")
	if name == "" {
		t.Skip("FOUNT_FIGURES names no file to write")
	}
	var b strings.Builder
	b.WriteString("# Simulated: docs/design/0018-routing.md says what the scenarios, the routes and the figures are.\n")
	for _, s := range scenarios() {
		for _, r := range routes {
			if few := strings.HasPrefix(s.name, "load") && s.name != "load-1" && s.name != "load-3" || strings.HasPrefix(s.name, "rtt"); few && !drawn[r.name] {
				continue
			}
			f := play(t, s, r, 1, mistakes{})
			if len(f.broken) > 0 {
				t.Errorf("%s, %s: %s", s.name, r.name, strings.Join(f.broken, "; "))
			}
			fmt.Fprintf(&b, "BenchmarkFleet/scenario=%s/route=%s %d %.3f goodput %.4f in-time %.2f refusal-p99-ms %.0f answer-p50-ms %.0f answer-p99-ms %.2f messages/call %.4f expired",
				s.name, r.name, f.submitted, f.goodput, f.inTime, inMS(f.refusal), inMS(f.latency), inMS(f.tail), f.messages, float64(f.expired)/float64(f.submitted))
			if strings.HasPrefix(s.name, "flood") {
				fmt.Fprintf(&b, " %.2f worst-share", f.share)
			} else {
				fmt.Fprintf(&b, " %.3f least-machine", f.least)
			}
			if len(s.faults) > 0 {
				fmt.Fprintf(&b, " %.1f heal-s", f.heal.Seconds())
			}
			b.WriteString("\n")
			if s.name == "hang" {
				for i, g := range f.slots {
					fmt.Fprintf(&b, "BenchmarkFleetSlot/scenario=%s/route=%s/slot=%d 1 %.3f goodput\n", s.name, r.name, i, g)
				}
			}
		}
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
		t.Error(err)
	}
}

func inMS(d time.Duration) float64 { return float64(d) / float64(ms) }
