// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package counter

import (
	"regexp"
	"testing"

	"fount/cmd/internal/lab"
)

// Cutoffs for 1 bit a sample, of SP 800-90B (1024, 2^-20) and of jitterentropy (512, 2^-30).
func TestCutoffs(t *testing.T) {
	if got := cutoff(1024, 0.5, 0x1p-20); got != 589 {
		t.Errorf("of 1024 samples %d, want 589", got)
	}
	if got := cutoff(512, 0.5, 0x1p-30); got != 325 {
		t.Errorf("of 512 samples %d, want 325", got)
	}
	if repetition != 21 {
		t.Errorf("repetition count fails at %d, want 21", repetition)
	}
}

func TestFigures(t *testing.T) {
	list := make([]byte, 2*window)
	for i := range list {
		list[i] = byte(i % 4)
	}
	copy(list[11:], []byte{1, 1, 1, 1, 1})
	if got := longest(list); got != 5 {
		t.Errorf("%d equal in a row, want 5", got)
	}
	if got := mostOfWindow(list); got != window/4 {
		t.Errorf("%d like the first, want %d", got, window/4)
	}
	if longest(nil) != 0 || longest([]byte{3}) != 1 || mostOfWindow(nil) != 0 {
		t.Error("none or one is miscounted")
	}
}

// A counter that is stuck fails both tests, and the kernel neither.
func TestStudy(t *testing.T) {
	r, err := Study.Measure(t.Context(), lab.Options{Quick: true, Only: regexp.MustCompile("stuck|kernel")})
	if err != nil || len(r.Groups) != 1 || len(r.Groups[0].Rows) != 2 {
		t.Fatalf("%v, %+v", err, r.Groups)
	}
	for i, row := range r.Groups[0].Rows {
		if like, equal := row.Figures[0].Value, row.Figures[1].Value; (like >= float64(proportion)) != (i == 1) || (equal >= float64(repetition)) != (i == 1) {
			t.Errorf("%s: %v like the first, %v equal in a row", row.Name, like, equal)
		}
	}
}
