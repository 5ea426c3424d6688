// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

import (
	"errors"
	"math"
	"testing"
	"time"

	"fount/lab/measure"
)

// A hundred thousand times of which each is known, in a turn of half a second on two cores.
func TestTailCounts(t *testing.T) {
	m := &tailed{meters: []*meter{{times: measure.NewHistogram(2)}, {times: measure.NewHistogram(2)}}}
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
	m.add(time.Second/2, 3*time.Second/4, 7)
	for i, want := range []float64{30, 20, 5, 100, 5e-3, 200_000, 1.5, 7} { // stalls: a second on one core
		if got := m.row().Figures[i].Value; math.Abs(got-want) > 0.01*want { // the histogram's precision
			t.Errorf("column %d is %v, want %v", i, got, want)
		}
	}
}

// A method that can't be opened, or panics at its third draw, is a row with its error, and the turn ends.
func TestTailFailures(t *testing.T) {
	broken := measure.Method{Open: func() (measure.Source, error) {
		return measure.Workers(func(int) measure.Worker {
			n := 0
			return measure.Loop{Do: func(int) {
				if n++; n == 3 {
					panic("the third draw")
				}
			}}
		}), nil
	}}
	missing := measure.Method{Open: func() (measure.Source, error) { return nil, errors.ErrUnsupported }}
	for _, method := range []measure.Method{broken, missing} {
		m := newTailed(method, 2)
		m.turn(time.Hour)
		if got := m.row(); got.Error == "" || got.Figures != nil {
			t.Errorf("%+v", got)
		}
		m.close()
	}
}
