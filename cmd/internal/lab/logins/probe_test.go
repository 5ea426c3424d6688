// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the probes: in a time that is not real, and of the endpoint over a real connection.

package logins

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Each tick has one lateness, also those that pass meanwhile, and those that nobody did.
func TestProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stall := map[int]time.Duration{10: 50 * time.Millisecond}
		calls := 0
		p := newProbe(time.Millisecond, func() error {
			calls++
			time.Sleep(stall[calls])
			return nil
		})
		done := make(chan struct{})
		go func() { p.run(); close(done) }()
		time.Sleep(200*time.Millisecond + time.Microsecond)
		s, err := p.stop()
		<-done
		if err != nil || s.Count != 201 {
			t.Fatalf("%d ticks, %v; want 201", s.Count, err)
		}
		// The tenth call ends 50 ms late; the ticks meanwhile are up to 49 ms late at the next.
		if s.Max == nil || *s.Max < 49.9 || *s.Max > 50.1 || *s.P50 > 0.001 {
			t.Errorf("greatest %v ms, median %v ms; want 50 and 0", *s.Max, *s.P50)
		}
		if s.P99 == nil || *s.P99 < 47 {
			t.Errorf("99th %v ms, want the 3rd latest", s.P99)
		}
	})
}

// A probe that never comes to run is late all the same.
func TestProbeStarved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newProbe(time.Millisecond, func() error { return nil })
		time.Sleep(100 * time.Millisecond)
		s, err := p.stop()
		if err != nil || s.Count != 101 || *s.Max < 99.9 || *s.Max > 100.1 {
			t.Errorf("%+v, %v; want 101 ticks, 100 ms late at most", s, err)
		}
	})
}

func TestProbeFails(t *testing.T) {
	want := errors.New("gone")
	p := newProbe(time.Millisecond, func() error { return want })
	p.run()
	if _, err := p.stop(); !errors.Is(err, want) {
		t.Errorf("%v, want %v", err, want)
	}
}

func TestEndpoint(t *testing.T) {
	get, hangUp, err := listen()
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := get(); err != nil {
			t.Error(err)
		}
	}
	hangUp()
	if err := get(); err == nil {
		t.Error("the endpoint answers after it was closed")
	}
}

func TestSummary(t *testing.T) {
	h := newTimes()
	if s := summary(h); s != (Summary{}) {
		t.Errorf("percentiles of nothing: %+v", s)
	}
	h.Add(time.Second)
	if s := summary(h); s.P50 != nil || s.P99 != nil || *s.Max < 999 {
		t.Errorf("one time has percentiles: %+v", s)
	}
	for i := range 1000 {
		h.Add(time.Duration(i+1) * time.Millisecond)
	}
	h.Add(2 * time.Hour)
	if s := summary(h); *s.P50 < 500 || *s.P50 > 502 || *s.P99 < 990 || *s.P99 > 993 || *s.Max < 3.59e6 {
		t.Errorf("%v %v %v", *s.P50, *s.P99, *s.Max)
	}
}
