// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the latencies: what is counted, and from what. No time is asserted.

package scale

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"fount/lab/measure"
)

func TestTail(t *testing.T) {
	turns := 0
	o := TailOptions{Time: 40 * time.Millisecond, Turn: 5 * time.Millisecond, Progress: func(int, int) { turns++ }}
	r, err := Tail(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if turns != 8 || len(r.Methods) != 4 || r.Label != Label {
		t.Errorf("%d turns of %d methods", turns, len(r.Methods))
	}
	for _, name := range []string{TailFount, TailCrypto, TailChannel, TailClock} {
		m := r.Find(name)
		if m == nil {
			t.Errorf("%s was not measured: %+v", name, r.Methods)
			continue
		}
		if m.Draws < 2*int64(r.Goroutines) || m.Seconds < 0.01 || !(m.P50NS <= m.MaxNS) || len(m.Stalls) != len(thresholds) {
			t.Errorf("%+v", *m)
		}
		for i := 1; i < len(m.Curve); i++ {
			if m.Curve[i].PerS > m.Curve[i-1].PerS || m.Curve[i].AboveNS <= m.Curve[i-1].AboveNS {
				t.Errorf("%s: %+v after %+v", name, m.Curve[i], m.Curve[i-1])
			}
		}
	}
	for _, bad := range []TailOptions{{}, {Time: time.Second}, {Time: time.Millisecond, Turn: time.Second}} {
		if _, err := Tail(context.Background(), bad); err == nil {
			t.Errorf("%+v was measured", bad)
		}
	}
}

// A hundred thousand times of which each is known, in a turn of half a second on two cores.
func TestTailCounts(t *testing.T) {
	m := &tailed{TailMethod: TailMethod{Name: "made up"}, method: measure.Empty()}
	m.open(2)
	for i := range 100_000 {
		d := 100 * time.Nanosecond
		switch {
		case i >= 99_995:
			d = 5 * time.Millisecond
		case i >= 99_980:
			d = 200 * time.Microsecond
		case i >= 99_970:
			d = 10*time.Microsecond + 1
		case i >= 99_960:
			d = 10 * time.Microsecond // not above
		}
		m.meters[i%2].add(d)
	}
	m.count(time.Second / 2)
	m.cpu = 3 * time.Second / 4
	got := m.result()
	for i, want := range []int64{30, 20, 5} {
		s := got.Stalls[i]
		if s.Count != want || s.PerS.Median != float64(want) { // a second on one core
			t.Errorf("above %v ns: %d, %v a second; want %d", s.AboveNS, s.Count, s.PerS.Median, want)
		}
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"draws", float64(got.Draws), 100_000}, {"p50", got.P50NS, 100}, {"max", got.MaxNS, 5e6}, {"share", got.Share, 0.75},
		{"at 1 µs", got.Curve[20].PerS, 40}, {"at 1 ms", got.Curve[50].PerS, 5}} {
		if math.Abs(c.got-c.want) > 0.01*c.want { // the histogram's precision
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
	m.count(time.Second / 2)
	if n := m.Stalls[0].Count; n != 30 || m.stalls[0][1] != 0 {
		t.Errorf("an empty turn counts %d, %v", n, m.stalls[0])
	}
}

// stalled is a method whose draws take so many ns, and meet so many stalls a second and core of 12 µs, 150 µs and 3 ms,
// over 75 turns of 100 ms on two cores.
func stalled(name string, ns, perSecond int, rng *rand.Rand) TailMethod {
	m := &tailed{TailMethod: TailMethod{Name: name}, method: measure.Empty()}
	m.open(2)
	for range 75 {
		for _, k := range m.meters {
			left := 100 * time.Millisecond
			for range perSecond / 10 {
				at := 12 * time.Microsecond
				switch rng.IntN(100) {
				case 0:
					at = 3 * time.Millisecond
				case 1, 2, 3, 4, 5, 6, 7, 8, 9:
					at = 150 * time.Microsecond
				}
				k.add(at)
				left -= at
			}
			k.times.AddN(time.Duration(ns), int64(left)/int64(ns))
		}
		m.count(100 * time.Millisecond)
	}
	return m.result()
}

// p9999 is how latencies were judged: by the time that 99.99 % of the draws did not exceed.
func p9999(m TailMethod) float64 {
	all := m.Seconds * 2
	for _, e := range m.Curve {
		if e.PerS*all < 1e-4*float64(m.Draws) {
			return e.AboveNS
		}
	}
	return m.MaxNS
}

// Two methods that meet the same stalls are judged alike, whatever a draw costs. By percentiles of draws, the control, the
// one that draws twice as often is late 10 times less.
func TestEqualStallsAtUnequalRates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	fast, slow := stalled(TailFount, 69, 800, rng), stalled(TailChannel, 142, 800, rng)
	r := TailResult{Methods: []TailMethod{fast, slow}}
	checks := r.Checks()
	if len(checks) != len(thresholds) {
		t.Fatalf("%d checks", len(checks))
	}
	for _, c := range checks {
		if c.Verdict != Undecided {
			t.Errorf("equal stalls: %s", c.Text)
		}
	}
	if a, b := p9999(fast), p9999(slow); b < tailGainOnce*a {
		t.Errorf("p99.99 of %v and %v ns: the judge as it was is not caught", a, b)
	}
	// And twice as many are seen.
	r.Methods[1] = stalled(TailChannel, 142, 1600, rng)
	for _, c := range r.Checks() {
		if c.Verdict != Fewer {
			t.Errorf("half the stalls: %s", c.Text)
		}
	}
}

// tailGainOnce was a bar: so many times below the channel's p99.99.
const tailGainOnce = 10

// broken is a method that panics at its third draw.
func broken() measure.Method {
	return measure.Method{Name: "broken", Open: func() (measure.Source, error) {
		return measure.Workers(func(int) measure.Worker {
			n := 0
			return measure.Loop{Do: func(int) {
				if n++; n == 3 {
					panic("the third draw")
				}
			}}
		}), nil
	}}
}

func TestTailFailures(t *testing.T) {
	m := &tailed{method: broken()}
	defer m.open(2)()
	m.turn(time.Millisecond)
	if got := m.result(); got.Error == "" || got.Draws != 0 {
		t.Errorf("%+v", got)
	}
	m = &tailed{method: measure.Method{Open: func() (measure.Source, error) { return nil, errors.ErrUnsupported }}}
	defer m.open(2)()
	m.turn(time.Millisecond)
	if got := m.result(); got.Error != errors.ErrUnsupported.Error() {
		t.Errorf("%+v", got)
	}
}
