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
	"fount/internal/test/require"
)

// brief is an examination of which the figures mean nothing.
var brief = Examination{Options: lab.Options{Quick: true, Count: 1}, Callers: 4, Cost: 4}

// run is an examination and its text.
func run(t *testing.T, facts machine.Facts) (Result, string) {
	t.Helper()
	text := ""
	r, err := brief.Run(t.Context(), facts, show.Style{Width: 80}, func(section string) error { text += section; return nil })
	require.NoError(t, err)
	return r, text
}

// Text and JSON give the same advice.
func TestOneVerdict(t *testing.T) {
	r, text := run(t, machine.Inspect())
	if len(r.Problems) > 0 || r.Nonce == nil || r.Passwords == nil || len(r.Passwords.Ways) != 3 {
		t.Fatalf("%+v", r)
	}
	encoded, err := json.Marshal(r)
	require.NoError(t, err)
	var again Result
	require.NoError(t, json.Unmarshal(encoded, &again))
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
	figure := func(ns float64) []*lab.Figure {
		low := ns - 1
		high := ns + 1
		return []*lab.Figure{{Value: ns, Low: &low, High: &high}}
	}
	const below, undecided = lab.Below, lab.Undecided
	row := func(name string, ns float64, is string) lab.Row {
		return lab.Row{Name: name, Figures: figure(ns), Verdict: &lab.Verdict{Is: is}}
	}
	std := func(ns float64) lab.Row { return row("crypto/rand", ns, "") }
	own := func(ns float64, is string) lab.Row { return row("fount", ns, is) }
	strict := func(ns float64, is string) lab.Row { return row("fount.Strict", ns, is) }
	group := func(rows ...lab.Row) []lab.Group { return []lab.Group{{Rows: rows}} }

	for name, c := range map[string]struct {
		groups []lab.Group
		window int // bytes that a clone repeats
		use    string
		from   float64
		says   string
	}{
		"cheaper":           {groups: group(std(100), own(10, below), strict(90, below)), use: "fount", from: 1e7 / 90, says: "10.0 ns"},
		"clones repeat":     {groups: group(std(100), own(10, below), strict(90, below)), window: 256, use: "fount", from: 1e7 / 90, says: "up to 256 bytes"},
		"as cheap strictly": {groups: group(std(100), own(50, below), strict(51, below)), window: 256, use: "fount.Strict", from: 1e7 / 49, says: "51.0 ns"},
		"undecided":         {groups: group(std(100), own(10, undecided), strict(90, below)), use: "crypto/rand", says: "not surely"},
		"by less than 1 %":  {groups: group(std(100), own(99.5, below), strict(99, below)), use: "crypto/rand", says: "not surely"},
		"the second group":  {groups: append(group(std(100), own(90, undecided)), group(std(100), own(20, below))...), use: "fount", from: 1e7 / 80, says: "20.0 ns"},
		"an error":          {groups: group(lab.Row{Name: "crypto/rand", Error: "it failed"}), use: "crypto/rand"},
		"nothing":           {use: "crypto/rand"},
	} {
		t.Run(name, func(t *testing.T) {
			v := judge(lab.Result{Groups: c.groups}, fount.StatusReport{WindowBytes: c.window})
			isFrom := v.From >= c.from*0.999 && v.From <= c.from*1.001
			if v.Use != c.use || !isFrom || !strings.Contains(strings.Join(v.Why, " "), c.says) {
				t.Errorf("%+v; want %s from %v, and %q", v, c.use, c.from, c.says)
			}
		})
	}
}
