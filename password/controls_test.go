// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"testing"

	"fount/internal/test/mutant"
)

func TestControls(t *testing.T) {
	for name, c := range map[string]struct{ file, old, text, run string }{
		"unknown users take no hash":             {file: "verify.go", old: "j.dummy = true", text: "return job{}, ErrMismatch", run: "^TestUnknownUsersTakeTheSameWork$"},
		"a wrong password ends at its own stage": {file: "compute.go", old: "isLast := stage == len(c.jobs)-1", text: "isLast := stage >= c.compared", run: "^TestGameTell$"},
		"no trials":                              {file: "estimate.go", old: "return ts.current == nil && left > 0 && (!now.Before(ts.nextIdle)", text: "return left < 0 && (!now.Before(ts.nextIdle)", run: "^TestGameHeal$"},
		"the heavy are not confined":             {file: "fairness.go", old: "return part != nil && part.weight(now) >", text: "return part == s && 1 >", run: "^TestFlood$"},
		"nor for long":                           {file: "fairness.go", old: "confinedFor = 5 * time.Minute", text: "confinedFor = 5 * time.Second", run: "^TestGameShare$"},
		"upgrades go first":                      {file: "queue.go", old: "case len(signIns) == 0:", text: "case u != nil:", run: "^TestGameUpgrades$"},
		"callers have no share":                  {file: "fairness.go", old: "if whole != nil && whole.isHeavy(part, now) &&", text: "if whole != nil && whole != &s.all && whole.isHeavy(part, now) &&", run: "^TestFlood$"},
		"upgrades are seen":                      {file: "admission.go", old: "if !t.dryRun && !t.upgrade {", text: "if !t.dryRun {", run: "^TestFlood$"},
		"given-up batches teach nothing":         {file: "estimate.go", old: "case finished == 0 && v <= old:", text: "case finished == 0:", run: "^TestSlowdownUnderLoad$"},
		"the last to come is served first":       {file: "queue.go", old: "head := l.tasks[0]", text: "head := l.tasks[len(l.tasks)-1]", run: "^TestFirstComeFirstServed$"},
	} {
		t.Run(name, func(t *testing.T) {
			mutant.Fails(t, c.file, c.old, c.text, c.run)
		})
	}
}
