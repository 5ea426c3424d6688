// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"testing"

	"fount/internal/test/mutant"
)

func TestControls(t *testing.T) {
	for name, c := range map[string]struct{ file, old, text, run string }{
		"the time tells that a user is unknown":                              {file: "verify.go", old: "j.dummy = true", text: "return job{}, ErrMismatch", run: "^TestUnknownUsersTakeTheSameWork$"},
		"the time of a wrong password tells the kind of hash":                {file: "compute.go", old: "isLast := stage == len(c.jobs)-1", text: "isLast := stage >= c.compared", run: "^TestGameTell$"},
		"after a slow time the pool refuses for ever":                        {file: "estimate.go", old: "return ts.current == nil && left > 0 && (!now.Before(ts.nextIdle)", text: "return left < 0 && (!now.Before(ts.nextIdle)", run: "^TestGameHeal$"},
		"a flood takes the places of others":                                 {file: "fairness.go", old: "return part != nil && part.weight(now) >", text: "return part == s && 1 >", run: "^TestFlood$"},
		"between rare calls a flood takes the places again":                  {file: "fairness.go", old: "confinedFor = 5 * time.Minute", text: "confinedFor = 5 * time.Second", run: "^TestGameShare$"},
		"upgrades delay sign-ins":                                            {file: "queue.go", old: "case len(signIns) == 0:", text: "case u != nil:", run: "^TestGameUpgrades$"},
		"a caller who invents principals takes the places of another caller": {file: "fairness.go", old: "if whole != nil && whole.isHeavy(part, now) &&", text: "if whole != nil && whole != &s.all && whole.isHeavy(part, now) &&", run: "^TestFlood$"},
		"upgrades make a flood look like the mean":                           {file: "admission.go", old: "if !t.dryRun && !t.upgrade {", text: "if !t.dryRun {", run: "^TestFlood$"},
		"a slowdown ends all answers while callers leave":                    {file: "estimate.go", old: "case finished == 0 && v <= old:", text: "case finished == 0:", run: "^TestSlowdownUnderLoad$"},
		"the last to come is served first":                                   {file: "queue.go", old: "head := l.tasks[0]", text: "head := l.tasks[len(l.tasks)-1]", run: "^TestFirstComeFirstServed$"},
	} {
		t.Run(name, func(t *testing.T) {
			mutant.Fails(t, c.file, c.old, c.text, c.run)
		})
	}
}
