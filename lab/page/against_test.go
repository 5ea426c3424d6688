// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fount/lab/show"

	"golang.org/x/net/html/atom"
)

// The critical values of U, two-sided at 5 %, as statistics books print them, such as Siegel, Nonparametric Statistics (1956),
// table K.
func TestUncertain(t *testing.T) {
	for size, critical := range map[[2]int]int{
		{4, 4}: 0, {5, 5}: 2, {6, 5}: 3, {5, 6}: 3, {6, 6}: 5, {8, 8}: 13, {9, 7}: 12, {10, 10}: 23, {12, 9}: 26, {20, 20}: 127, {3, 3}: -1, {1, 20}: -1,
	} {
		if got := uncertain(size[0], size[1]); got != critical+1 {
			t.Errorf("%d and %d values: %d, want %d", size[0], size[1], got, critical+1)
		}
	}
}

// Of samples that differ by nothing about one in 20 differs, and as many intervals do not hold 0; of samples that differ by a
// fifth, all do.
func TestCompared(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	sample := func(n int, center float64) measured {
		m := measured{median: center}
		for range n {
			m.values = append(m.values, center*(1+0.03*random.NormFloat64()))
		}
		return m
	}
	const trials = 2000
	differ, outside, found := 0, 0, 0
	for range trials {
		c := compared(sample(10, 50), sample(8, 50))
		if c.Differs {
			differ++
		}
		if *c.Low > 0 || *c.High < 0 {
			outside++
		}
		if c := compared(sample(10, 50), sample(8, 60)); c.Differs && *c.Low < *c.Change && *c.Change < *c.High && *c.Low > 0.1 && *c.High < 0.3 {
			found++
		}
	}
	for what, n := range map[string]int{"differences": differ, "intervals without 0": outside} { // 4.3 % as U is discrete; 4 sigma
		if n < 45 || n > 130 {
			t.Errorf("%s: %d of %d where nothing differs, want about 85", what, n, trials)
		}
	}
	if found < trials-5 {
		t.Errorf("a fifth is found in %d of %d", found, trials)
	}
	for name, c := range map[string]Compared{
		"one value": compared(sample(1, 50), sample(8, 60)), "none": compared(sample(0, 50), sample(0, 60)), "3 and 3 have a test": compared(sample(3, 50), sample(3, 60)),
	} {
		if tested := strings.Contains(name, "test"); (c.P != nil) != tested || c.Differs || c.Low != nil || c.Change == nil {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if c := compared(measured{median: 0, values: []float64{0}}, measured{median: 1, values: []float64{1}}); c.Change != nil {
		t.Errorf("the change from 0 is %v", *c.Change)
	}
}

// multiplied is the kept report with the values of bench nonce's fount multiplied.
func multiplied(t *testing.T, by float64) string {
	t.Helper()
	dir := copied(t)
	path := filepath.Join(dir, nonceFile)
	var whole map[string]any
	if err := decode(path, &whole); err != nil {
		t.Fatal(err)
	}
	for _, table := range whole["tables"].([]any) {
		for _, m := range table.(map[string]any)["methods"].([]any) {
			method := m.(map[string]any)
			if ns := method["ns"].(map[string]any); method["name"] == "fount" {
				ns["median"] = by * ns["median"].(float64)
				for i, v := range ns["values"].([]any) {
					ns["values"].([]any)[i] = by * v.(float64)
				}
			}
		}
	}
	b, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What was changed differs, and nothing else does; the page shows the same as the text.
func TestAgainst(t *testing.T) {
	older, newer := multiplied(t, 2), copied(t)
	c, err := Compare(older, newer)
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]bool{}
	for _, f := range c.Figures {
		sections[f.Section] = true
		if changed := f.Section == methodsTitle && f.Name == "fount"; f.Differs != changed {
			t.Errorf("%s, %s: differs %v, want %v", f.Section, f.Name, f.Differs, changed)
		} else if changed && (*f.Change > -0.45 || *f.Change < -0.55 || f.Old.N != 10 || f.New.N != 10) {
			t.Errorf("the half is %+v", f)
		}
	}
	for _, want := range []string{nonceTitle, methodsTitle, sourceTitle, scaleTitle, tailTitle, loginsTitle, filesTitle} {
		if !sections[want] {
			t.Errorf("nothing is compared of %s", want)
		}
	}
	for _, width := range []int{40, 80, 100} {
		for line := range strings.Lines(c.Text(show.Style{Width: width})) {
			if n := len(strings.TrimSuffix(line, "\n")); n > width && !strings.Contains(line, older) && !strings.Contains(line, newer) {
				t.Errorf("%d columns of %d: %q", n, width, line)
			}
		}
	}
	if err := Make(newer, typed, c); err != nil {
		t.Fatal(err)
	}
	root := parsed(t, newer)
	section := byID(t, root, againstID)
	if n := len(all(section, atom.Tr)); n < len(c.Figures) {
		t.Errorf("%d rows for %d figures", n, len(c.Figures))
	}
	if got := text(section); !strings.Contains(got, older) || !strings.Contains(got, "-50.0%") || !strings.Contains(got, "as benchstat has it") {
		t.Errorf("the page says %s", got)
	}
}

// The figures that are compared are those that the page shows.
func TestComparedFiguresAreThePages(t *testing.T) {
	dir := copied(t)
	root, _ := pageOf(t, dir)
	raw, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{nonceTitle: nonceID, methodsTitle: methodsID, sourceTitle: sourceID, scaleTitle: scaleID, tailTitle: tailID, loginsTitle: loginsID, filesTitle: filesID}
	seen := 0
	for _, m := range raw.figures() {
		if strings.Contains(m.unit, "processes") || strings.Contains(m.unit, "times one") || strings.Contains(m.unit, "late, p99") || strings.Contains(m.unit, "logins") {
			continue // which the page writes with other digits
		}
		want := []string{show.NS(m.median), show.Ratio(m.median), show.Rate(m.median)}
		got := strings.Fields(text(byID(t, root, ids[m.section])))
		if !slices.ContainsFunc(want, func(w string) bool { return slices.Contains(got, w) }) {
			t.Errorf("%s, %s, %s: %v is not on the page", m.section, m.unit, m.name, want)
		}
		seen++
	}
	if seen < 60 {
		t.Errorf("%d figures, want 60", seen)
	}
}

// What can't be compared is said: another machine, and files that are missing. A directory without a report is an error.
func TestAgainstOthers(t *testing.T) {
	other := changed(t, doctorFile, `"gomaxprocs": 2`, `"gomaxprocs": 3`, `"cpu": "`, `"cpu": "Testium `)
	if err := os.Remove(filepath.Join(other, tailFile)); err != nil {
		t.Fatal(err)
	}
	c, err := Compare(other, copied(t))
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(c.Notes, " ")
	for _, want := range []string{"different machines: Testium", "GOMAXPROCS was 3, and is 2.", "The old report has no tail.json: it was not measured."} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes say nothing of %q: %s", want, notes)
		}
	}
	for _, f := range c.Figures {
		if f.Section == tailTitle {
			t.Errorf("%s is compared with nothing", f.Name)
		}
	}
	same, err := Compare(copied(t), copied(t))
	if err != nil || strings.Contains(strings.Join(same.Notes, " "), "different machines") {
		t.Errorf("of the same machine: %v, %q", err, same.Notes)
	}
	if _, err := Compare(t.TempDir(), copied(t)); err == nil || !strings.Contains(err.Error(), madeFile) {
		t.Errorf("against no report: %v", err)
	}
	if _, err := Compare(copied(t), t.TempDir()); err == nil || !strings.Contains(err.Error(), madeFile) {
		t.Errorf("no report against one: %v", err)
	}
}
