// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"testing"

	"fount/internal/test/mutant"
)

func TestControls(t *testing.T) {
	for name, c := range map[string]struct{ file, old, text, run string }{
		"no trials":                        {"rate.go", "case left <= 0 || c.trying != nil:", "case left <= longest:", "^TestGameHeal$"},
		"the heavy are not confined":       {"judge.go", "return part != nil && part.weight(now) >", "return part == p && 1 >", "^TestFlood$"},
		"nor for long":                     {"judge.go", "halvedFor   = 5 * time.Minute", "halvedFor = 0", "^TestGameShare$"},
		"upgrades go first":                {"run.go", "case len(s.queue) == 0:", "case s != nil:", "^TestGameUpgrades$"},
		"callers have no share":            {"judge.go", "if of == nil || !of", "if of == nil || of == all || !of", "^TestCallers$"},
		"upgrades are seen":                {"sched.go", "if meant && !t.Upgrade {", "if meant {", "^TestFlood$"},
		"given-up batches teach nothing":   {"rate.go", "case left == 0 && v <= old:", "case left == 0:", "^TestSlowdownUnderLoad$"},
		"the last to come is served first": {"run.go", "head := s.queue[0]", "head := s.queue[len(s.queue)-1]", "^TestFirstComeFirstServed$"},
	} {
		t.Run(name, func(t *testing.T) {
			mutant.Fails(t, c.file, c.old, c.text, c.run)
		})
	}
}
