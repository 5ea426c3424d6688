// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of numbers, words and the line of progress.

package show

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{Ratio(0.4), "0.40"}, {Ratio(1), "1.00"}, {Ratio(9.99), "9.99"}, {Ratio(9.996), "10.0"}, {Ratio(25.56), "25.6"}, {Ratio(99.96), "100"}, {Ratio(1234.5), "1,234"}, {Ratio(1e6), "1,000,000"}, {Ratio(-123), "-123"},
		{Rate(357142.8), "360,000"}, {Rate(5), "5"}, {Rate(12.4), "12"}, {Rate(99.9), "100"}, {Rate(1e7), "10,000,000"},
		{Rate(0), "0"}, {Rate(996), "1,000"}, {Rate(0.3), "0"},
		{Seconds(0), "0 s"}, {Seconds(12.34), "12.3 s"}, {Seconds(0.9996), "1.00 s"}, {Seconds(0.0584), "58.4 ms"}, {Seconds(4.2e-7), "420 ns"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func FuzzParagraph(f *testing.F) {
	f.Add("one two  three", 8, "- ", "  ")
	f.Fuzz(func(t *testing.T, text string, width int, first, rest string) {
		first, rest = strings.Repeat("-", len(first)%9), strings.Repeat(" ", len(rest)%9)
		got := Paragraph(text, width, first, rest)
		if words, want := strings.Fields(strings.TrimPrefix(got, first)), strings.Fields(text); strings.Join(words, " ") != strings.Join(want, " ") {
			t.Fatalf("words %q, want %q", words, want)
		}
	})
}

func TestStyleOf(t *testing.T) {
	for value, want := range map[string]int{"": 80, "66": 66, "10": 40, "300": 100, "wide": 80, "-5": 80} {
		t.Setenv("COLUMNS", value)
		if got := StyleOf(new(bytes.Buffer)).Width; got != want {
			t.Errorf("COLUMNS=%s: %d columns, want %d", value, got, want)
		}
	}
}

// A table is no wider than its terminal: what has no room is named, and then names go before rows.
func TestTable(t *testing.T) {
	table := Table{
		Head: []string{"", "first", "second", "where"}, Last: true,
		Rows: [][]string{{"a name", "1", "22", "here"}, {"größer", "333", "4", "at a longer place"}},
	}
	for width, want := range map[int]string{
		42: "          first  second  where|  a name      1      22  here|  größer    333       4  at a longer place|",
		30: "          first  second  where|  a name      1      22  here|  größer    333       4|      at a longer place|",
		24: "          first  where|  a name      1  here|  größer    333|      at a longer place|  no room for: second|",
		12: "    first|  a name|        1|      here|  größer|      333|      at a|      longer|      place|  no room|  for:|  second|",
	} {
		if got := table.Fit(width-len(Indent), "second").String(Indent); strings.ReplaceAll(got, "\n", "|") != want {
			t.Errorf("%d columns:\n%s", width, got)
		}
	}
}

// screen is what a terminal shows: a carriage return goes back, a character overwrites.
func screen(written string) string {
	var line []rune
	at := 0
	for _, r := range written {
		if r == '\r' {
			at = 0
			continue
		}
		if at == len(line) {
			line = append(line, ' ')
		}
		line[at] = r
		at++
	}
	return strings.TrimRight(string(line), " ")
}

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b, Style{Width: 20})
	for _, step := range []struct{ line, want string }{
		{"a long line: 0 %", "a long line: 0 %"},
		{"short", "short"},
		{"größer", "größer"},
		{"a line that is too long", "a line that is too "}, // the last column stays free
	} {
		p.Show(step.line)
		if got := screen(b.String()); got != strings.TrimRight(step.want, " ") {
			t.Errorf("screen %q, want %q", got, step.want)
		}
	}
	n := b.Len()
	p.Show("a line that is too long for it")
	if b.Len() != n {
		t.Error("the same line was written again")
	}
	p.Clear()
	if got := screen(b.String()); got != "" {
		t.Errorf("screen %q after Clear, want nothing", got)
	}
	if !strings.HasSuffix(b.String(), "\r") || strings.ContainsAny(b.String(), "\n\x1b") {
		t.Errorf("written %q: want the cursor at the left, no new line, no escape code", b.String())
	}
	n = b.Len()
	p.Clear()
	(*Progress)(nil).Show("x")
	(*Progress)(nil).Clear()
	if b.Len() != n {
		t.Error("a second Clear wrote something")
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0 B", 999: "999 B", 1000: "0.98 KiB", 1024: "1.00 KiB", 10 << 10: "10.0 KiB",
		999 << 10: "999 KiB", 1023 << 10: "1.00 MiB", 1 << 30: "1.00 GiB", 1.5 * (1 << 30): "1.50 GiB",
		256 << 20: "256 MiB", math.MaxUint64: "16.0 EiB", 1e30: "867,361,737,988 EiB",
	} {
		if got := Size(n); got != want {
			t.Errorf("Size(%g) = %q, want %q", n, got, want)
		}
	}
}
