// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package doctor

import (
	"encoding/json"
	"strings"
	"testing"

	"fount"
	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/machine"
	"fount/cmd/internal/lab/show"
)

// brief is an examination of which the figures mean nothing.
var brief = Examination{Options: lab.Options{Quick: true, Count: 1}, Callers: 4, Cost: 4}

// run is an examination and its text.
func run(t *testing.T, facts machine.Facts) (Result, string) {
	t.Helper()
	text := ""
	r, err := brief.Run(t.Context(), facts, show.Style{Width: 80}, func(section string) error { text += section; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return r, text
}

// Text and JSON give the same advice.
func TestOneVerdict(t *testing.T) {
	r, text := run(t, machine.Inspect())
	if len(r.Problems) > 0 || r.Nonce == nil || r.Passwords == nil || len(r.Passwords.Ways) != 3 {
		t.Fatalf("%+v", r)
	}
	encoded, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var again Result
	if err := json.Unmarshal(encoded, &again); err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(text), " ")
	for _, want := range append(append([]string{"Verdict: " + again.Verdict.Use}, again.Verdict.Why...), again.Passwords.Advice...) {
		if !strings.Contains(words, want) {
			t.Errorf("%q is not in the text:\n%s", want, text)
		}
	}
}

// Where asking for random bytes would block or stop the program nothing is asked.
func TestProblem(t *testing.T) {
	for _, random := range []machine.KernelRandom{{Getrandom: machine.Wait, Urandom: machine.Ready}, {Getrandom: machine.Denied, Urandom: machine.Ready}} {
		r, text := run(t, machine.Facts{OS: "Linux", Cores: 2, Random: random})
		if len(r.Problems) == 0 || r.Nonce != nil || r.Passwords != nil || r.Verdict.Use != "nothing" || !strings.Contains(text, "problem kernel") {
			t.Errorf("%+v: %+v\n%s", random, r, text)
		}
	}
}

// The verdict follows from what is sure, and from nothing else.
func TestJudge(t *testing.T) {
	bounds := func(x, half float64) *lab.Figure {
		low, high := x-half, x+half
		return &lab.Figure{Value: x, Low: &low, High: &high}
	}
	group := func(std, own, strict float64, ownIs, strictIs string) lab.Group {
		row := func(name string, ns float64, is string) lab.Row {
			return lab.Row{Name: name, Figures: []*lab.Figure{bounds(ns, 1)}, Verdict: &lab.Verdict{Is: is}}
		}
		return lab.Group{Rows: []lab.Row{row("crypto/rand", std, ""), row("fount", own, ownIs), row("fount.Strict", strict, strictIs)}}
	}
	for _, c := range []struct {
		groups []lab.Group
		window int
		use    string
		from   float64
		says   string
	}{
		{[]lab.Group{group(100, 10, 90, lab.Below, lab.Below)}, 0, "fount", 1e7 / 90, "10.0 ns"},
		{[]lab.Group{group(100, 10, 90, lab.Below, lab.Below)}, 256, "fount", 1e7 / 90, "up to 256 bytes"},
		{[]lab.Group{group(100, 50, 51, lab.Below, lab.Below)}, 256, "fount.Strict", 1e7 / 49, "51.0 ns"}, // not surely dearer
		{[]lab.Group{group(100, 10, 90, lab.Undecided, lab.Below)}, 0, "crypto/rand", 0, "not surely"},
		{[]lab.Group{group(100, 99.5, 99, lab.Below, lab.Below)}, 0, "crypto/rand", 0, "not surely"}, // less than 1 %
		{[]lab.Group{group(100, 90, 90, lab.Undecided, lab.Undecided), group(100, 20, 90, lab.Below, lab.Undecided)}, 0, "fount", 1e7 / 80, "20.0 ns"},
		{[]lab.Group{{Rows: []lab.Row{{Name: "crypto/rand", Error: "it failed"}}}}, 0, "crypto/rand", 0, ""},
		{nil, 0, "crypto/rand", 0, ""},
	} {
		v := judge(lab.Result{Groups: c.groups}, fount.StatusReport{WindowBytes: c.window})
		if v.Use != c.use || v.From < c.from*0.999 || v.From > c.from*1.001 || !strings.Contains(strings.Join(v.Why, " "), c.says) {
			t.Errorf("%+v; want %s from %v, and %q", v, c.use, c.from, c.says)
		}
	}
}
