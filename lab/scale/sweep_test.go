// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the sweep over goroutines.

package scale

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// All values asked for are drawn, and one more by each goroutine before it may begin.
func TestCrowd(t *testing.T) {
	for _, goroutines := range []int{1, 3, 1000} {
		for _, n := range []int{goroutines, 4096, 100_001} {
			if n < goroutines {
				continue
			}
			var drawn, closed, ended atomic.Int64
			m := Method{open: func(opening) (source, error) {
				return source{func(int) (func(int), func()) {
					return func(n int) { drawn.Add(int64(n)) }, func() { ended.Add(1) }
				}, func() { closed.Add(1) }}, nil
			}}
			elapsed, err := crowd(m, opening{Size: 16, Cores: 1, Nodes: 1}, goroutines, n, 0)
			if err != nil || elapsed <= 0 {
				t.Fatalf("%v, %v", elapsed, err)
			}
			if got := drawn.Load(); got != int64(n+goroutines) || closed.Load() != 1 || ended.Load() != int64(goroutines) {
				t.Errorf("%d goroutines drew %d, want %d and %d; %d ended, closed %d times", goroutines, got, n, goroutines, ended.Load(), closed.Load())
			}
		}
	}
}

func TestCrowdPanics(t *testing.T) {
	m := Method{open: func(opening) (source, error) {
		return source{func(k int) (func(int), func()) {
			return func(n int) {
				if k == 2 && n > 1 {
					panic("the third")
				}
			}, nothing
		}, nothing}, nil
	}}
	if _, err := crowd(m, opening{}, 5, 100, 0); err == nil || !strings.Contains(err.Error(), "the third") {
		t.Errorf("a panic in a goroutine: %v", err)
	}
}

func TestSweep(t *testing.T) {
	o := Options{Methods: Named("one mutex", "fount", "getrandom(2)"), Sizes: []int{16}, Modes: []string{Threads}, Rounds: 1,
		Turn: 100 * time.Microsecond, Goroutines: []int{1, 50}, GoroutineRounds: 2}
	turns := 0
	o.Progress = func(done, all int) {
		if turns++; done >= all {
			t.Errorf("turn %d of %d", done, all)
		}
	}
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range r.Sweep.Series {
		names = append(names, s.Method)
		if s.Error != "" || len(s.Points) != 2 || s.Points[1].Goroutines != 50 || len(s.Points[1].Rate.Values) != 2 {
			t.Errorf("%+v", s)
		}
	}
	if got := strings.Join(names, ", "); got != "one mutex, fount, no draw" {
		t.Errorf("swept were %s", got)
	}
	if want := 3*len(counts(r.Cores)) + 2*3*2; turns != want {
		t.Errorf("%d turns, want %d", turns, want)
	}
}
