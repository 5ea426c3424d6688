// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the sweep over goroutines.

package scale

import (
	"context"
	"strings"
	"testing"
	"time"

	"fount/lab/measure"
)

// All values asked for are drawn, and one more by each goroutine before it may begin.
func TestCrowd(t *testing.T) {
	for _, goroutines := range []int{1, 3, 1000} {
		for _, n := range []int{goroutines, 4096, 100_001} {
			if n < goroutines {
				continue
			}
			var c counting
			elapsed, err := crowd(c.method("c"), goroutines, n, 0)
			if err != nil || elapsed <= 0 {
				t.Fatalf("%v, %v", elapsed, err)
			}
			if got := c.drawn.Load(); got != int64(n+goroutines) || len(c.log) != 1 || c.ended.Load() != int64(goroutines) {
				t.Errorf("%d goroutines drew %d, want %d and %d; %d ended, closed %d times", goroutines, got, n, goroutines, c.ended.Load(), len(c.log))
			}
		}
	}
}

func TestCrowdPanics(t *testing.T) {
	m := measure.Method{Open: func() (measure.Source, error) {
		return measure.Workers(func(k int) measure.Worker {
			return measure.Loop{Do: func(n int) {
				if k == 2 && n > 1 {
					panic("the third")
				}
			}}
		}), nil
	}}
	if _, err := crowd(m, 5, 100, 0); err == nil || !strings.Contains(err.Error(), "the third") {
		t.Errorf("a panic in a goroutine: %v", err)
	}
}

func TestSweep(t *testing.T) {
	o := Options{Methods: named("one mutex", "fount", "getrandom(2)"), Sizes: []int{16}, Modes: []string{Threads}, Rounds: 1,
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
