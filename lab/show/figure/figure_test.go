// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the figures: XML that a browser takes, and colours that a dark screen can show.

package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var keep = flag.String("keep", "", "write the figures of the tests into this `directory`, to be looked at")

func lines() Lines {
	return Lines{
		Title: "Speedup <of> two & \"more\"", Caption: []string{"Medians of 3 rounds.", "A second line."},
		X: Axis{Label: "goroutines", Log: true, Ticks: []Tick{{1, "1"}, {100, "100"}, {1e5, "100,000"}}},
		Y: Axis{Label: "millions per second", Log: true},
		Series: []Series{
			{"fount", []Point{{1, 60}, {100, 120}, {1e5, 110}}, Look{Color: Vermilion, Strong: true}},
			{"crypto/rand", []Point{{1, 12}, {100, 18}, {1e5, 17}}, Look{Color: Black}},
			{"ideal", []Point{{1, 60}, {1e5, 120}}, Look{Color: Gray, Dashed: true, Plain: true}},
		},
	}
}

func rows() Bars {
	return Bars{
		Title: "16-byte values", Unit: "million per second", Mark: 100, Caption: []string{"Medians."},
		Keys: []Key{{"1 thread", Silver}, {"2 threads", Blue}},
		Rows: []Row{
			{Label: "fount", Strong: true, Values: []float64{70, 139}, Text: "139, 1.98 times one"},
			{Label: "/dev/urandom", Values: []float64{2.2, math.NaN()}, Text: "not here"},
		},
	}
}

func drawn(t *testing.T, name string, svg []byte, err error) []byte {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if *keep != "" {
		if err := os.WriteFile(filepath.Join(*keep, name+".svg"), svg, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return svg
}

func all(t *testing.T) map[string][]byte {
	figures := map[string][]byte{}
	for name, f := range map[string]Figure{"lines": lines(), "bars": rows()} {
		svg, err := f.SVG()
		figures[name] = drawn(t, name, svg, err)
		svg, err = f.NarrowSVG()
		figures[name+", narrow"] = drawn(t, name+"-narrow", svg, err)
	}
	return figures
}

// walk reads all of a document and returns its root.
func walk(svg []byte) (root xml.StartElement, err error) {
	dec := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return root, nil
		}
		if err != nil {
			return root, err
		}
		if start, ok := token.(xml.StartElement); ok && root.Name.Local == "" {
			root = start.Copy()
		}
	}
}

func TestWellFormed(t *testing.T) {
	for name, svg := range all(t) {
		root, err := walk(svg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if root.Name.Local != "svg" || !bytes.HasPrefix(svg, []byte("<svg ")) {
			t.Errorf("%s begins with %.40q, which HTML does not take", name, svg)
		}
		for _, never := range []string{"<script", "<?xml", "<!", "xlink", "NaN", "Inf", " style=", "http://www.w3.org/1999"} {
			if bytes.Contains(svg, []byte(never)) {
				t.Errorf("%s holds %s", name, never)
			}
		}
	}
	if _, err := walk([]byte("<svg><g></svg>")); err == nil { // the negative control
		t.Error("an element that is not closed was well-formed")
	}
}

func TestMistakes(t *testing.T) {
	l := lines()
	l.Series[1].Points = nil
	if _, err := l.SVG(); err == nil || !strings.Contains(err.Error(), "crypto/rand") {
		t.Errorf("a series without points: %v", err)
	}
	for y, log := range map[float64]bool{0: true, -1: true, math.Inf(1): false, math.Inf(-1): false, math.NaN(): false,
		1e308: false, -1e308: false, 1e-308: true} {
		l := lines()
		l.Y.Log = log
		l.Series[0].Points[1].Y = y
		if _, err := l.SVG(); err == nil || !strings.Contains(err.Error(), "fount") {
			t.Errorf("a point at %v, log %v: %v", y, log, err)
		}
	}
	b := rows()
	b.Keys = b.Keys[:1]
	if _, err := b.SVG(); err == nil || !strings.Contains(err.Error(), "2 values for 1 keys") {
		t.Errorf("more values than keys: %v", err)
	}
	for _, v := range []float64{1e308, math.Inf(1), math.Inf(-1)} {
		b := rows()
		b.Rows[0].Values[0] = v
		if _, err := b.SVG(); err == nil || !strings.Contains(err.Error(), b.Rows[0].Label) {
			t.Errorf("a bar of %v: %v", v, err)
		}
	}
	if _, err := (Bars{Keys: []Key{{"n", Blue}}, Rows: []Row{{Values: []float64{0}}}}).SVG(); err != nil {
		t.Errorf("nothing to show: %v", err)
	}
}

func TestTicks(t *testing.T) {
	for ends, want := range map[[2]float64]string{
		{0, 250}: "0 50 100 150 200 250", {1, 2}: "1 1.2 1.4 1.6 1.8 2", {0, 12000}: "0 2,000 4,000 6,000 8,000 10,000 12,000",
		{-0.1, 0.1}: "-0.1 -0.05 0 0.05 0.1", {45, 360}: "100 200 300",
	} {
		var got []string
		for _, tick := range linearTicks(ends[0], ends[1]) {
			got = append(got, tick.Label)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("from %v to %v: %s, want %s", ends[0], ends[1], s, want)
		}
	}
}
