// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package plot

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"
)

// Points stand where their figures say: in proportion, or where they differ much, by logarithms.
func TestAxis(t *testing.T) {
	linear := newAxis([]float64{2, 4}, true)
	if math.Abs(linear.at(4)-2*linear.at(2)) > 1e-9 || linear.at(0) != 0 || linear.log {
		t.Errorf("2 at %v, 4 at %v", linear.at(2), linear.at(4))
	}
	log := newAxis([]float64{1, 10, 100}, false)
	if !log.log || log.at(1) != 0 || log.at(10) != 50 || log.at(100) != 100 {
		t.Errorf("1, 10 and 100 at %v, %v, %v", log.at(1), log.at(10), log.at(100))
	}
}

// Whatever is drawn stays in the plot, with some ticks, and is XML without a NaN.
func TestNew(t *testing.T) {
	for name, points := range map[string][]Point{
		"one": {{X: 1, Y: 5}}, "zeros": {{X: 1}, {X: 2}}, "below zero": {{X: 1, Y: -3}, {X: 2, Y: 3, Low: -9, High: 4}},
		"across": {{Y: 7}}, "wide": {{X: 1, Y: 1e-9}, {X: 1e6, Y: 1e12}}, "many": make([]Point, 40), "none": nil,
	} {
		for i := range points {
			if name == "many" {
				points[i] = Point{X: float64(i + 1), Y: float64(i * i)}
			}
		}
		p := New([]Line{{Points: points}})
		dec := xml.NewDecoder(strings.NewReader(string(p.SVG)))
		for err := error(nil); err != io.EOF; {
			if _, err = dec.Token(); err != nil && err != io.EOF {
				t.Fatalf("%s: %v\n%s", name, err, p.SVG)
			}
		}
		if strings.Contains(string(p.SVG), "NaN") || strings.Contains(string(p.SVG), "Inf") {
			t.Errorf("%s: %s", name, p.SVG)
		}
		for _, tick := range append(p.X, p.Y...) {
			if !(tick.At >= 0 && tick.At <= 100) || tick.Text == "" {
				t.Errorf("%s: a tick %+v", name, tick)
			}
		}
		if len(p.Y) < 2 || len(p.Y) > 16 || len(p.X) > 16 {
			t.Errorf("%s: %d and %d ticks", name, len(p.X), len(p.Y))
		}
	}
}

func TestBar(t *testing.T) {
	for _, nothing := range [][2]float64{{math.NaN(), 1}, {1, 0}, {1, math.NaN()}, {-1, 1}} {
		if b := Bar(nothing[0], 0, 0, nothing[1]); b != "" {
			t.Errorf("a bar of %v: %s", nothing, b)
		}
	}
	if b := string(Bar(5, 4, 6, 10)); !strings.Contains(b, `width="50.00"`) || !strings.Contains(b, "M40.00 5H60.00") {
		t.Errorf("5 of 10, from 4 to 6: %s", b)
	}
}
