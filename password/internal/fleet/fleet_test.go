// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// run plays a scenario, and fails if a call has not just one outcome in its deadline, or a worker's counts don't add up.
func run(t *testing.T, s scenario, r route) figures {
	t.Helper()
	f := play(t, s, r, 1, mistakes{})
	if len(f.broken) > 0 {
		t.Errorf("%s, %s: %s", s.name, r.name, strings.Join(f.broken[:min(3, len(f.broken))], "; "))
	}
	if sum := f.answered + f.refused + f.expired + f.canceled; f.submitted != sum || f.submitted < 100 {
		t.Errorf("%s, %s: %d calls, and %d with an end", s.name, r.name, f.submitted, sum)
	}
	return f
}

func named(t *testing.T, name string) route {
	t.Helper()
	for _, r := range routes {
		if r.name == name {
			return r
		}
	}
	t.Fatalf("no route %q", name)
	return route{}
}

// brief shortens the calls of a scenario.
func brief(s *scenario) { s.lasts = 8 * time.Second }

func TestSameSeedSameRun(t *testing.T) {
	s := on("", 1.5, brief, mixed, with("hang", time.Second))
	one, two := play(t, s, chosen, 7, mistakes{}), play(t, s, chosen, 7, mistakes{})
	if !reflect.DeepEqual(one, two) {
		t.Errorf("two runs of a seed:\n%+v\n%+v", one, two)
	}
	if other := play(t, s, chosen, 8, mistakes{}); reflect.DeepEqual(one, other) {
		t.Error("another seed is the same run")
	}
}

// A queue group sends a third of the calls to a machine with a tenth of the cores.
func TestQueueGroupMisroutes(t *testing.T) {
	s := on("tenth", 1, of(tenth, 4), brief)
	group, two := run(t, s, named(t, "group")), run(t, s, chosen)
	if group.least < 0.31 || group.least > 0.36 || group.goodput > 0.85 {
		t.Errorf("the queue group sent %.3f of the calls to the small machine, goodput %.2f; want a third, and at most 0.85", group.least, group.goodput)
	}
	if two.least > 0.2 || two.goodput < 0.95 {
		t.Errorf("the better of two sent %.3f there, goodput %.2f; want at most 0.2, and at least 0.95", two.least, two.goodput)
	}
}

// Three times what the fleet can do: it does nine tenths of that, in time, and refuses at once.
func TestOverload(t *testing.T) {
	f := run(t, on("load-3", 3, brief), chosen)
	if f.goodput < 0.9 || f.inTime < 0.99 || f.refusal > 5*ms || f.messages > 6 {
		t.Errorf("goodput %.3f, in time %.4f, refused within %v, %.1f messages; want 0.9, 0.99, 5ms and 6", f.goodput, f.inTime, f.refusal, f.messages)
	}
	if leave := run(t, on("mixed-3", 3, brief, mixed), named(t, "leave")); leave.goodput > 0.8 { // the control
		t.Errorf("workers that leave the group: goodput %.3f; want at most 0.8", leave.goodput)
	}
}

// A worker that dies, stands still, or can't be reached costs no answers but those it had in hand; the fleet does what the
// others can within 2 s, and all of it when the worker is back. So does one whose broker is started anew.
func TestFaults(t *testing.T) {
	for _, what := range []string{"kill", "hang", "partition", "throttle", "drain", "broker"} {
		lasts := 2500 * ms
		if what == "broker" {
			lasts = 500 * ms
		}
		s := on(what, 0.7, with(what, lasts), func(s *scenario) { s.lasts = 10 * time.Second })
		f := run(t, s, chosen)
		if f.heal > 2*time.Second || float64(f.expired) > 0.005*float64(f.submitted) {
			t.Errorf("%s: whole after %v, %d of %d calls without a word; want 2s, and 0.5 %%", what, f.heal, f.expired, f.submitted)
		}
		if what != "hang" && what != "partition" {
			continue
		}
		alone := but("without a second try", func(r *route) { r.tries, r.silence = 1, 0 })
		if f := run(t, s, alone); float64(f.expired) < 0.04*float64(f.submitted) { // the control
			t.Errorf("%s, without a second try: only %d of %d calls without a word", what, f.expired, f.submitted)
		}
	}
}

// Ten principals that ask for 1.2 times what the fleet can do, beside one that asks for three times as much: each gets most of what
// max-min fairness would give it. The fleet is as fair as its schedulers, if clients leave refusing to them.
func TestFairness(t *testing.T) {
	s := on("flood", 0, flooded(1))
	if f := run(t, s, chosen); f.share < 0.7 {
		t.Errorf("the worst principal gets %.2f of its share; want 0.7", f.share)
	}
	if f := run(t, s, named(t, "leave")); f.share > 0.5 { // the control: nobody makes way where nobody is asked
		t.Errorf("with workers that leave the group the worst principal gets %.2f of its share; want at most 0.5", f.share)
	}
}

// Clients with mistakes are found.
func TestMistakesAreFound(t *testing.T) {
	restarts := on("broker", 2, brief, with("broker", 500*ms))
	for name, m := range map[string]mistakes{
		"a call that is refused twice is forgotten": {drops: true},
		"an answer is told twice":                   {repeats: true},
		"there is no deadline":                      {forgets: true},
	} {
		r := chosen
		if m.forgets {
			r.tries, r.silence = 1, 0
		}
		if f := play(t, restarts, r, 1, m); len(f.broken) == 0 {
			t.Errorf("%s, and nothing is wrong", name)
		}
	}
	if f := play(t, restarts, chosen, 1, mistakes{}); len(f.broken) > 0 {
		t.Errorf("without a mistake: %v", f.broken)
	}
}

// TestAdversaryFinds plays routes that are not good enough.
func TestAdversaryFinds(t *testing.T) {
	for name, want := range map[string]string{"leave-early": idle, "group": unheard} {
		r := named(t, name)
		found := false
		for seed := uint64(0); seed < 100 && !found; seed++ {
			s := draw(seed)
			if hangs := len(s.faults) > 0 && s.faults[0].what == "hang"; hangs != (want == unheard) {
				continue // they can't show it
			}
			found = strings.Contains(strings.Join(verdicts(s, play(t, s, r, seed, mistakes{})), ";"), want)
		}
		if !found {
			t.Errorf("%s: no seed says that %s", name, want)
		}
	}
}
