// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the figures: XML that a browser takes, and colours that a dark screen can show.

package figure

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
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

func TestText(t *testing.T) {
	svgs := all(t)
	for name, texts := range map[string][]string{
		"lines": {"Speedup &lt;of&gt; two &amp; &#34;more&#34;", ">goroutines<", ">100,000<", ">fount<", ">A second line.<"},
		"bars":  {">2 threads<", ">139, 1.98 times one<", ">not here<", ">million per second<"},
	} {
		for _, text := range texts {
			if !bytes.Contains(svgs[name], []byte(text)) {
				t.Errorf("%s does not show %s", name, text)
			}
		}
	}
}

// Every colour that is drawn has a twin for dark screens, or is as bright as one.
func TestDarkTwins(t *testing.T) {
	twins := map[Color]bool{}
	for _, c := range dark {
		twins[c.light] = true
		if c.light != White && contrast(c.dark, dark[0].dark) < 1.4 {
			t.Errorf("%s on dark paper has a contrast of %.2f, want 1.4", c.light, contrast(c.dark, dark[0].dark))
		}
	}
	for _, bright := range []Color{Orange} {
		if contrast(bright, dark[0].dark) < 3 {
			t.Errorf("%s has no twin and a contrast of %.2f on dark paper", bright, contrast(bright, dark[0].dark))
		}
		twins[bright] = true
	}
	colours := regexp.MustCompile(`(?:fill|stroke)="(#[0-9A-F]{6})"`)
	for name, svg := range all(t) {
		found := colours.FindAllSubmatch(svg, -1)
		if len(found) == 0 {
			t.Errorf("%s has no colours", name)
		}
		for _, c := range found {
			if !twins[Color(c[1])] {
				t.Errorf("%s draws in %s, which has no twin on dark paper", name, c[1])
			}
		}
	}
}

// contrast is the ratio of WCAG 2.2.
func contrast(a, b Color) float64 {
	light := func(c Color) float64 {
		sum := 0.0
		var rgb [3]uint8
		if _, err := fmt.Sscanf(string(c), "#%02X%02X%02X", &rgb[0], &rgb[1], &rgb[2]); err != nil {
			panic(err)
		}
		for i, v := range rgb {
			x := float64(v) / 255
			if x <= 0.04045 {
				x /= 12.92
			} else {
				x = math.Pow((x+0.055)/1.055, 2.4)
			}
			sum += x * []float64{0.2126, 0.7152, 0.0722}[i]
		}
		return sum + 0.05
	}
	return max(light(a), light(b)) / min(light(a), light(b))
}

// Nothing of a narrow figure lies outside it or on top of something else, and its letters are as large as those of the wide
// one.
func TestNarrow(t *testing.T) {
	long := rows()
	long.Title = "A title that is much too long to stand in one line of a telephone's screen"
	long.Caption = []string{"Measured on this machine: an Extraordinarily Long Processor Name @ 2.50GHz, Linux 6.18.44, go1.26.8."}
	long.Unit = "million values per second, and how many times as many as one thread, or one process, draws"
	for name, f := range map[string]Figure{"lines": lines(), "bars": rows(), "long": long} {
		svg, err := f.NarrowSVG()
		if err != nil {
			t.Fatal(err)
		}
		root, _ := walk(svg)
		for _, a := range root.Attr {
			if a.Name.Local == "width" && a.Value != "350" {
				t.Errorf("%s is %s wide, want 350", name, a.Value)
			}
		}
		if found := outside(t, svg); len(found) > 0 {
			t.Errorf("%s: %q", name, found)
		}
	}
	wide, err := long.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if found := outside(t, bytes.ReplaceAll(wide, []byte(`width="800"`), []byte(`width="350"`))); len(found) == 0 { // the negative control
		t.Error("a wide figure, cut to be narrow, has nothing outside")
	}
}

var aText = regexp.MustCompile(`<text x="([^"]+)" y="([^"]+)" font-size="([^"]+)" fill="[^"]+"([^>]*)>([^<]*)</text>`)

// outside are the texts of a figure that leave it, cover another text, or are too small.
func outside(t *testing.T, svg []byte) (found []string) {
	t.Helper()
	var size [2]float64
	if _, err := fmt.Sscanf(string(svg[bytes.Index(svg, []byte(` width="`)):]), ` width="%f" height="%f"`, &size[0], &size[1]); err != nil {
		t.Fatal(err)
	}
	type box struct{ left, right, top, bottom float64 }
	var boxes []box
	for _, m := range aText.FindAllSubmatch(svg, -1) {
		var x, y, letters float64
		if _, err := fmt.Sscan(string(m[1])+" "+string(m[2])+" "+string(m[3]), &x, &y, &letters); err != nil {
			t.Fatal(err)
		}
		text, more := html.UnescapeString(string(m[5])), string(m[4])
		if text == "" || strings.Contains(more, "rotate") {
			continue
		}
		w := TextWidth(Font{Size: letters, Bold: strings.Contains(more, "bold")}, text)
		if strings.Contains(more, "middle") {
			x -= w / 2
		} else if strings.Contains(more, "end") {
			x -= w
		}
		b := box{x, x + w, y - 0.7*letters, y}
		if b.left < 0 || b.right > size[0] || b.top < 0 || b.bottom > size[1] || letters < captionSize {
			found = append(found, text)
		}
		for _, o := range boxes {
			if b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom {
				found = append(found, text)
			}
		}
		boxes = append(boxes, b)
	}
	if len(boxes) < 5 {
		t.Fatalf("%d texts", len(boxes))
	}
	return found
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

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0.5: "0.5", 20: "20", 1000: "1,000", 50000: "50,000", 1e5: "100 k", 2e6: "2 M"} {
		if got := Number(v); got != want {
			t.Errorf("Number(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestFull(t *testing.T) {
	for greatest, want := range map[float64]float64{139: 150, 150: 150, 151: 200, 0.9: 1, 1: 1, 0: 1, 8.1: 10} {
		if got := (Bars{Rows: []Row{{Values: []float64{greatest, math.NaN()}}}}).full(); math.Abs(got-want) > 1e-9 {
			t.Errorf("an axis for %v ends at %v, want %v", greatest, got, want)
		}
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

// Text as wide as the metrics say: the letters of DejaVu Sans, or of Helvetica where those are wider (@), one by one.
func TestTextWidth(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "Mi": 863 + 278, "~": 838, "@ 0": 1015 + 318 + 636} {
		if got := TextWidth(Font{Size: 1000}, text); got != want {
			t.Errorf("%q is %v wide, want %v", text, got, want)
		}
	}
}
