// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the studies with runs that are made up, and of the conditions.

package logins

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/internal/blowfish"
	"fount/internal/policytext"
)

// madeUp is a Runner of a machine that does capacity compares a second, on which every mechanism but the pool
// collapses.
func madeUp(capacity float64, spoil func(*Report)) Runner {
	return func(_ context.Context, c Config) (Report, error) {
		if err := c.Check(); err != nil {
			return Report{}, err
		}
		span := c.counted().Seconds()
		r := Report{Command: "run " + c.Mechanism, Config: c, Seconds: span, Finished: &capacity, Cores: 2}
		r.Submitted = int64(math.Round(100 * span))
		r.Refused = r.Submitted
		if c.Open() {
			one := 0.03
			r.Refusal, r.Heartbeat, r.Endpoint = &Summary{P99: &one}, &Summary{P99: &one}, &Summary{P99: &one}
			r.Submitted = int64(math.Round(c.Rate * span))
			switch c.Mechanism {
			case Pool, PoolLanes:
				r.Good = int64(math.Round(min(c.Rate, capacity) * span))
				r.Refused = r.Submitted - r.Good
			default:
				r.Refused, r.Unanswered = 0, r.Submitted
			}
			r.Goodput = float64(r.Good) / span
		}
		if spoil != nil {
			spoil(&r)
		}
		return r, nil
	}
}

func TestPlans(t *testing.T) {
	for _, p := range Plans {
		planned, made := 0, 0
		s, err := p.Make(t.Context(), Terms{Cost: 4, Run: madeUp(34, nil), Show: func(line string) {
			var n, of int
			made++
			if _, err := fmt.Sscanf(line, "run %d of %d,", &n, &of); err != nil || n != made || of < n || planned != 0 && of != planned {
				t.Errorf("%s: %q, want run %d of %d", p.Name, line, made, planned)
			}
			planned = of
		}})
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		if made != planned || len(s.Runs)+len(s.Capacity) != made || s.Name != p.Name || s.Title == "" {
			t.Errorf("%s: %d runs of %d, %d kept", p.Name, made, planned, len(s.Runs)+len(s.Capacity))
		}
		if n, _ := missed(s.Conditions); n > 0 {
			t.Errorf("%s: %v", p.Name, s.Conditions)
		}
		for _, r := range s.Runs {
			if r.Config.Cost != 4 {
				t.Errorf("%s: %+v does not have the cost asked for", p.Name, r.Config)
			}
			if !strings.Contains(r.Command, "run "+r.Config.Mechanism) {
				t.Errorf("%s: %s", p.Name, r.Command)
			}
		}
	}
}

// The table has the post's runs, in its order, with its figures, and as it made them.
func TestTable(t *testing.T) {
	s, err := Plans[0].Make(t.Context(), Terms{Cost: 10, Run: madeUp(34, nil)})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{ // the post's command lines and counts
		"-c 30 -m max_out 61", "-c 30 -m buffered -b 1 -w 1 37", "-c 30 -m buffered -b 2 -w 1 37", "-c 30 -m buffered -b 10 -w 1 37",
		"-c 30 -m buffered -b 10 -w 2 69", "-c 30 -m buffered -b 10 -w 3 70", "-c 30 -m buffered -b 10 -w 4 69",
		"-c 90 -m buffered -b 10 -w 3 69", "-c 90 -m max_out 27",
	}
	table := s.table()
	post := slices.Index(table.Head, "post")
	for i, r := range s.Runs {
		c := r.Config
		got := fmt.Sprintf("-c %d -m %s", c.Callers, c.Mechanism)
		if c.Mechanism == Buffered {
			got += fmt.Sprintf(" -b %d -w %d", c.Buffer, c.Workers)
		}
		got += " " + table.Rows[i][post]
		if i < len(want) && (got != want[i] || c.FanIn != (c.Mechanism == Buffered) || c.Duration != 5*time.Second) {
			t.Errorf("run %d is %s, %+v; want %s, fanning in", i, got, c, want[i])
		}
		if i >= len(want) && (c.FanIn || table.Rows[i][post] != "-") {
			t.Errorf("run %d is %s, %+v; want none of the post's", i, got, c)
		}
	}
	// A worker that a small channel holds up would refute the first condition, and callers that wait the second.
	for i, spoilt := range []func(Config) bool{
		func(c Config) bool { return c.Buffer == 1 },
		func(c Config) bool { return c.Workers == 2 && !c.FanIn },
	} {
		s, err := Plans[0].Make(t.Context(), Terms{Run: madeUp(34, func(r *Report) {
			if low := 30.0; spoilt(r.Config) {
				r.Finished = &low
			}
		})})
		if err != nil || s.Conditions[i].Met || !s.Conditions[1-i].Met {
			t.Errorf("%v, %v; want condition %d alone not met", s.Conditions, err, i)
		}
	}
}

// The sweep offers every mechanism the same loads, and the same arrivals of each.
func TestSweep(t *testing.T) {
	s, err := Plans[3].Make(t.Context(), Terms{Cost: 10, Run: madeUp(34, nil)})
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string][]float64)
	for _, r := range s.Runs {
		seen[r.Config.Mechanism] = append(seen[r.Config.Mechanism], r.Config.Rate/34)
		if r.Config.Seed == 0 || r.Config.Cut == 0 {
			t.Errorf("%s: no seed, or nothing cut", r.Command)
		}
	}
	if len(seen) != len(Mechanisms) {
		t.Errorf("%d mechanisms, want %d", len(seen), len(Mechanisms))
	}
	for name, factors := range seen {
		for i, f := range factors {
			if len(factors) != len(Factors) || math.Abs(f-Factors[i]) > 1e-9 {
				t.Errorf("%s got the loads %v, want %v", name, factors, Factors)
				break
			}
		}
	}
}

// Each condition fails when what it is about is spoilt, and only then.
func TestOverloadConditions(t *testing.T) {
	overload := Plans[2]
	late, slow := 30.0, 6.0
	for what, test := range map[string]struct {
		spoil  func(*Report)
		missed int // of both kinds of pool, and of callers that hang up
	}{
		"goodput of the capacity":  {func(r *Report) { r.Goodput *= 0.85 }, 3},
		"answered in time":         {func(r *Report) { n := r.Good / 50; r.Good -= n; r.Expired += n }, 3},
		"refusal, p99":             {func(r *Report) { r.Refusal.P99 = &late }, 2},
		"heartbeat, p99":           {func(r *Report) { r.Heartbeat.P99 = &slow }, 2},
		"endpoint, p99":            {func(r *Report) { r.Endpoint.P99 = &slow }, 2},
		"max_out at the same rate": {func(r *Report) { r.Goodput += 3.5 }, 2},

		// Without a figure there is no verdict, and a condition that is not judged is not met.
		"refusal":             {func(r *Report) { r.Refusal = nil }, 2},
		"lateness of a 1 ms":  {func(r *Report) { r.Heartbeat.P99 = nil }, 2},
		"lateness of an HTTP": {func(r *Report) { r.Endpoint = nil }, 2},
	} {
		s, err := overload.Make(t.Context(), Terms{Cost: 10, Run: madeUp(34, func(r *Report) {
			ofPool := r.Config.Mechanism != MaxOut
			if r.Config.Open() && ofPool != strings.HasPrefix(what, "max_out") {
				test.spoil(r)
			}
		})})
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := missed(s.Conditions); len(s.Conditions) != 14 || n != test.missed {
			t.Errorf("%s: %d of %d conditions missed, want %d of 14", what, n, len(s.Conditions), test.missed)
		}
		for _, c := range s.Conditions {
			if c.Met == strings.Contains(c.What, what) || c.Met == strings.Contains(c.String(), "NOT ") {
				t.Errorf("%s spoilt: %v", what, c)
			}
			if (c.Value == nil) != strings.Contains(c.String(), "NOT judged, no figure") {
				t.Errorf("%s spoilt: %v", what, c)
			}
		}
	}
}

// The load is three times what was measured, of the pool and of what has no limit, for each kind of pool.
func TestOverloadRates(t *testing.T) {
	s, err := Plans[2].Make(t.Context(), Terms{Cost: 10, Run: madeUp(34, nil)})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{Pool, MaxOut, PoolLanes, MaxOut, PoolLanes} {
		if c := s.Runs[i].Config; c.Mechanism != want || c.HangUp != (i == 4) || c.Rate != 102 || c.Deadline != time.Second ||
			c.Duration != time.Minute || c.Cut != 5*time.Second {
			t.Errorf("run %d is %s, want %s at 102/s for a minute of which 5 s are cut", i, s.Runs[i].Command, want)
		}
	}
}

// A dropped request was admitted: it is not one of those that were refused at once.
func TestAdmitted(t *testing.T) {
	r := Report{Counts: Counts{Submitted: 100, Good: 40, Refused: 60}, Pool: &PoolFigures{Dropped: 10}}
	if got := r.Admitted(); got != 50 {
		t.Errorf("%d admitted, want 50", got)
	}
}

// A study stops at a run that fails, and at one that loses a request.
func TestPlanFails(t *testing.T) {
	broken := errors.New("broken")
	for _, p := range Plans {
		_, err := p.Make(t.Context(), Terms{Cost: 4, Run: func(context.Context, Config) (Report,
			error) {
			return Report{}, broken
		}})
		if !errors.Is(err, broken) {
			t.Errorf("%s: %v, want why", p.Name, err)
		}
		_, err = p.Make(t.Context(), Terms{Cost: 4, Run: madeUp(34, func(r *Report) { r.Submitted++ })})
		if err == nil || !strings.Contains(err.Error(), "lost") {
			t.Errorf("%s: %v, want that a request is lost", p.Name, err)
		}
	}
	_, err := Plans[2].Make(t.Context(), Terms{Cost: 4, Run: madeUp(0, nil)})
	if err == nil || !strings.Contains(err.Error(), "not one compare") {
		t.Errorf("%v, want that the capacity is 0", err)
	}
}

// A short study keeps the proportions of a long one.
func TestShortStudy(t *testing.T) {
	s, err := Plans[2].Make(t.Context(), Terms{Cost: 4, Duration: 600 * time.Millisecond, Run: madeUp(34, nil)})
	if err != nil {
		t.Fatal(err)
	}
	if c := s.Runs[0].Config; c.Duration != 600*time.Millisecond || c.Cut != 50*time.Millisecond {
		t.Errorf("%v of which %v are cut, want 600 ms and 50 ms", c.Duration, c.Cut)
	}
}

// Each way to hash works in a turn of one hash.
func TestHashings(t *testing.T) {
	a, err := NewArgon2ids("m=64,t=1")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	methods := Hashings(4, 8, 2, a)
	if len(methods) != 3+blowfish.MaxLanes+len(policytext.Names)-1+len(a.Hashings())-1 {
		t.Errorf("%d ways to hash", len(methods))
	}
	for _, h := range methods {
		src, err := h.Method().Open()
		if err != nil {
			t.Fatalf("%s: %v", h.Label, err)
		}
		if h.Label != "scrypt" && !strings.HasPrefix(h.Label, "pbkdf2") { // half a second each
			w := src.Worker(0)
			w.Draw(1)
			w.Close()
		}
		src.Close()
	}
}
