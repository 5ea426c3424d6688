// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"testing"

	"fount/internal/test/mutant"
)

func TestControls(t *testing.T) {
	for name, c := range map[string]struct{ file, old, text, run string }{
		"unknown users take no hash":             {"verify.go", "j, err := p.freshJob(password)", "j, err := job{}, ErrMismatch", "^TestUnknownUsersTakeTheSameWork$"},
		"a wrong password ends at its own stage": {"compute.go", "case stage < len(c.jobs)-1:", "case stage < c.compared:", "^TestGameTell$"},
		"no trials":                              {"estimate.go", "case left <= 0 || r.inTrial:", "case left <= longestWait:", "^TestGameHeal$"},
		"the heavy are not confined":             {"fairness.go", "return part != nil && part.weight(now) >", "return part == s && 1 >", "^TestFlood$"},
		"nor for long":                           {"admission.go", "confinedFor  = 5 * time.Minute", "confinedFor = 5 * time.Second", "^TestGameShare$"},
		"upgrades go first":                      {"queue.go", "case len(q.waiting) == 0:", "case q != nil:", "^TestGameUpgrades$"},
		"callers have no share":                  {"admission.go", "if whole != nil && whole.isHeavy(part, now) &&", "if whole != nil && whole != levels[0] && whole.isHeavy(part, now) &&", "^TestFlood$"},
		"upgrades are seen":                      {"schedule.go", "if !dryRun && !t.upgrade {", "if !dryRun {", "^TestFlood$"},
		"given-up batches teach nothing":         {"estimate.go", "case finished == 0 && v <= old:", "case finished == 0:", "^TestSlowdownUnderLoad$"},
		"the last to come is served first":       {"schedule.go", "head := q.waiting[0]", "head := q.waiting[len(q.waiting)-1]", "^TestFirstComeFirstServed$"},
	} {
		t.Run(name, func(t *testing.T) {
			mutant.Fails(t, c.file, c.old, c.text, c.run)
		})
	}
}
