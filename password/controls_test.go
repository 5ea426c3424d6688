// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"testing"

	"fount/internal/test/mutant"
)

func TestControls(t *testing.T) {
	for name, c := range map[string]struct{ file, old, text, run string }{
		"unknown users take no hash":             {"verify.go", "j.dummy = true", "return job{}, ErrMismatch", "^TestUnknownUsersTakeTheSameWork$"},
		"a wrong password ends at its own stage": {"compute.go", "isLast := stage == len(c.jobs)-1", "isLast := stage >= c.compared", "^TestGameTell$"},
		"no trials":                              {"estimate.go", "return ts.current == nil && left > 0 && (!now.Before(ts.nextIdle)", "return left < 0 && (!now.Before(ts.nextIdle)", "^TestGameHeal$"},
		"the heavy are not confined":             {"fairness.go", "return part != nil && part.weight(now) >", "return part == s && 1 >", "^TestFlood$"},
		"nor for long":                           {"fairness.go", "confinedFor = 5 * time.Minute", "confinedFor = 5 * time.Second", "^TestGameShare$"},
		"upgrades go first":                      {"queue.go", "case len(signIns) == 0:", "case u != nil:", "^TestGameUpgrades$"},
		"callers have no share":                  {"fairness.go", "if whole != nil && whole.isHeavy(part, now) &&", "if whole != nil && whole != &s.all && whole.isHeavy(part, now) &&", "^TestFlood$"},
		"upgrades are seen":                      {"admission.go", "if !t.dryRun && !t.upgrade {", "if !t.dryRun {", "^TestFlood$"},
		"given-up batches teach nothing":         {"estimate.go", "case finished == 0 && v <= old:", "case finished == 0:", "^TestSlowdownUnderLoad$"},
		"the last to come is served first":       {"queue.go", "head := l.tasks[0]", "head := l.tasks[len(l.tasks)-1]", "^TestFirstComeFirstServed$"},
	} {
		t.Run(name, func(t *testing.T) {
			mutant.Fails(t, c.file, c.old, c.text, c.run)
		})
	}
}
