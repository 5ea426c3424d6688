// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A test of threads and cores on Linux.

package scale

import (
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"fount/cmd/internal/lab/measure"
)

// The thread of each worker may run on its core alone, and another goroutine's as before.
func TestPinned(t *testing.T) {
	cpus := allowed()
	var spots []spot
	for _, cpu := range cpus {
		spots = append(spots, spot{cpu, -1})
	}
	seen := make([][]int, len(cpus))
	m := measure.Method{Open: func() (measure.Source, error) {
		return measure.Workers(func(k int) measure.Worker {
			seen[k] = allowed() // of the thread that asks
			return measure.Loop{Do: func(int) {}}
		}), nil
	}}
	n := min(len(cpus), runtime.GOMAXPROCS(0))
	misplaced := make([]error, n)
	plan := measure.Plan{Turn: 10 * time.Microsecond}
	if _, err := plan.By(n).Measure(bound(m, spots[:n], misplaced)); errors.Join(append(misplaced, err)...) != nil {
		t.Fatal(err, misplaced)
	}
	for k := range n {
		if !slices.Equal(seen[k], cpus[k:k+1]) {
			t.Errorf("worker %d may run on %v, want %d alone", k, seen[k], cpus[k])
		}
	}
	if got := allowed(); !slices.Equal(got, cpus) {
		t.Errorf("the test's own thread may run on %v now, want %v", got, cpus)
	}
	if _, err := plan.By(1).Measure(bound(m, []spot{{1023, -1}}, misplaced)); err != nil || misplaced[0] == nil { // no machine of a test has that core
		t.Error("a thread was bound to core 1023")
	}
}
