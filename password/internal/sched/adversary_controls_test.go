// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package sched

import (
	"testing"

	"fount/internal/test/mutant"
)

// Newcomers overtake without regard for those who wait.
func TestControlOvertaking(t *testing.T) {
	mutant.Fails(t, "admit.go", "harmed >= 0 {", "harmed > 1<<30 {", "^TestAdmittedKeepTheirDeadlines$")
}

// Batches that everybody has left teach nothing.
func TestControlGivenUp(t *testing.T) {
	mutant.Fails(t, "rate.go", "case left == 0 && v <= old:", "case left == 0:", "^TestSlowdownUnderLoad$")
}

// What the estimate calls too long is never tried.
func TestControlTrials(t *testing.T) {
	t.Setenv("FOUNT_RUNS", "100")
	mutant.Fails(t, "admit.go", "if left <= 0 ||", "if left > -longest ||", "^TestAdversary$")
}

// No principal weighs anything, whatever it asks for.
func TestControlHeavy(t *testing.T) {
	mutant.Fails(t, "principal.go", "sum := s.faded(now)", "if s != nil {\nreturn 0\n}\nsum := s.faded(now)",
		"^Test(OnePrincipalLeavesRoom|HeavyStaysOut|HeavyMakesWay)$")
}
