// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the latencies: what is counted, and from what. No time is asserted.

package scale

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"fount/cmd/fount/internal/lab"
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
		if m.Draws < 2*int64(r.Goroutines) || m.Seconds < 0.01 || !(m.P50NS <= m.P99NS && m.P99NS <= m.P9999NS && m.P9999NS <= m.MaxNS) {
			t.Errorf("%+v", *m)
		}
		for i := 1; i < len(m.Curve); i++ {
			if m.Curve[i].NS < m.Curve[i-1].NS || m.Curve[i].Q <= m.Curve[i-1].Q {
				t.Errorf("%s: quantile %+v after %+v", name, m.Curve[i], m.Curve[i-1])
			}
		}
	}
	for _, bad := range []TailOptions{{}, {Time: time.Second}, {Time: time.Millisecond, Turn: time.Second}} {
		if _, err := Tail(context.Background(), bad); err == nil {
			t.Errorf("%+v was measured", bad)
		}
	}
}

// A hundred thousand times of which each is known.
func TestTailCounts(t *testing.T) {
	m := &tailed{TailMethod: TailMethod{Name: "made up"}, method: lab.Empty{}}
	m.open(2)
	for i := range 100_000 {
		ns := int64(100)
		switch {
		case i >= 99_995:
			ns = 5_000_000 // 5 above 1 ms
		case i >= 99_980:
			ns = 20_000 // 20 above 10 µs, which p99.99 is one of
		case i >= 98_000:
			ns = 400 // p99
		}
		if err := m.times[i%2].RecordValue(ns); err != nil {
			t.Fatal(err)
		}
	}
	m.elapsed, m.cpu = time.Second, 3*time.Second/2
	got := m.result()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"draws", float64(got.Draws), 100_000}, {"p50", got.P50NS, 100}, {"p99", got.P99NS, 400}, {"p99.99", got.P9999NS, 20_000},
		{"max", got.MaxNS, 5e6}, {"above 10 µs", float64(got.Above10us), 20}, {"above 1 ms", float64(got.Above1ms), 5}, {"share", got.Share, 0.75},
	} {
		if math.Abs(c.got-c.want) > 0.01*c.want { // the histogram's precision
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
}

// broken is a method that panics at its third draw.
type broken struct{ err error }

func (broken) Name() string     { return "broken" }
func (broken) Weakness() string { return "" }

func (b broken) Open() (lab.Source, error) {
	if b.err != nil {
		return nil, b.err
	}
	return b, nil
}

func (broken) Worker() (func([]lab.Nonce), func()) {
	n := 0
	return func([]lab.Nonce) {
		if n++; n == 3 {
			panic("the third draw")
		}
	}, nothing
}

func (broken) Close() {}

func TestTailFailures(t *testing.T) {
	m := &tailed{method: broken{}}
	defer m.open(2)()
	m.turn(time.Millisecond)
	if got := m.result(); got.Error == "" || got.Draws != 0 {
		t.Errorf("%+v", got)
	}
	m = &tailed{method: broken{errors.ErrUnsupported}}
	defer m.open(2)()
	m.turn(time.Millisecond)
	if got := m.result(); got.Error != errors.ErrUnsupported.Error() {
		t.Errorf("%+v", got)
	}
}
