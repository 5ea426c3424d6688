// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/lab/doctor"
	"fount/lab/measure"
	"fount/lab/scale"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// typed stands for what a reader types.
func typed(s Study) string { return "measure " + string(s) }

// kept is the report that stands in docs/results: made by a whole run on a real machine.
const kept = "../../docs/results/report"

// copied is a copy of the kept report's files, but for those that are left out.
func copied(t *testing.T, without ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names() {
		if slices.Contains(without, name) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(kept, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// pageOf makes the page in dir and reads it as a browser does.
func pageOf(t *testing.T, dir string) (*html.Node, []byte) {
	t.Helper()
	if err := Make(dir, typed, nil); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, Page))
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, dir), b
}

// parsed is the page that is in dir.
func parsed(t *testing.T, dir string) *html.Node {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, Page))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	root, err := html.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// all are the elements of that name below n.
func all(n *html.Node, name atom.Atom) (found []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.DataAtom == name {
			found = append(found, d)
		}
	}
	return found
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// text is what a reader reads in n.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// byID is the element of that id.
func byID(t *testing.T, root *html.Node, id string) *html.Node {
	t.Helper()
	for d := range root.Descendants() {
		if d.Type == html.ElementNode && attribute(d, "id") == id {
			return d
		}
	}
	t.Fatalf("nothing on the page has the id %s", id)
	return nil
}

// Each plot of the page stands beside it as a file of its own.
func TestPlotsAreFiles(t *testing.T) {
	dir := copied(t)
	root, _ := pageOf(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	if n := len(all(root, atom.Figure)); err != nil || n < 5 || len(files) != n || len(all(root, atom.Svg)) != 2*n {
		t.Errorf("%d plots, in two widths %d, and %d files, %v", n, len(all(root, atom.Svg)), len(files), err)
	}
	for _, path := range files {
		if b, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(b, []byte("<svg xmlns=")) {
			t.Errorf("%s begins with %.20q, %v", path, b, err)
		}
	}
}

// The page needs nothing but itself: no script, no other file, no network.
func TestPageStandsAlone(t *testing.T) {
	root, raw := pageOf(t, copied(t))
	for _, name := range []atom.Atom{atom.Script, atom.Link, atom.Img, atom.Iframe, atom.Object, atom.Embed, atom.Form} {
		if n := len(all(root, name)); n > 0 {
			t.Errorf("%d elements %s, want none", n, name)
		}
	}
	for d := range root.Descendants() {
		for _, a := range d.Attr {
			if a.Key == "src" || strings.HasPrefix(a.Key, "on") || strings.Contains(a.Val, "//") && a.Key != "xmlns" {
				t.Errorf("<%s %s=%q> needs something else", d.Data, a.Key, a.Val)
			}
		}
	}
	if bytes.Contains(raw, []byte("@import")) || bytes.Contains(raw, []byte("url(")) {
		t.Error("a style sheet needs something else")
	}
}

// Who can't see the plots, has another language or prints finds what the page needs for it.
func TestPageIsForEveryReader(t *testing.T) {
	root, raw := pageOf(t, copied(t))
	if lang := attribute(all(root, atom.Html)[0], "lang"); lang != "en" {
		t.Errorf("the language is %q", lang)
	}
	if n := len(all(root, atom.H1)); n != 1 {
		t.Errorf("%d headings of the first level, want 1", n)
	}
	for _, svg := range all(root, atom.Svg) {
		if attribute(svg, "role") != "img" || attribute(svg, "aria-label") == "" {
			t.Error("a plot has no name for those who don't see it")
		}
	}
	for _, table := range all(root, atom.Table) {
		if len(all(table, atom.Caption)) != 1 || len(all(table, atom.Thead)) != 1 {
			t.Errorf("a table has no caption or no heading: %.60s", text(table))
		}
		columns := len(all(all(table, atom.Thead)[0], atom.Th))
		for _, tr := range all(all(table, atom.Tbody)[0], atom.Tr) {
			if n := len(all(tr, atom.Th)) + len(all(tr, atom.Td)); n != columns {
				t.Errorf("a row of %d cells below a heading of %d: %s", n, columns, text(tr))
			}
		}
	}
	for _, want := range []string{"@media print", "prefers-color-scheme: dark", `name="viewport"`, `content="light dark"`} {
		if !bytes.Contains(raw, []byte(want)) {
			t.Errorf("the page has no %s", want)
		}
	}
	ids := map[string]bool{}
	for d := range root.Descendants() {
		if id := attribute(d, "id"); id != "" {
			if ids[id] {
				t.Errorf("two elements have the id %s", id)
			}
			ids[id] = true
		}
	}
	dir := copied(t)
	for _, a := range all(root, atom.A) {
		href := attribute(a, "href")
		if id, inside := strings.CutPrefix(href, "#"); inside && !ids[id] {
			t.Errorf("a link to %s leads nowhere", href)
		} else if _, err := os.Stat(filepath.Join(dir, href)); !inside && err != nil {
			t.Errorf("a link to a file: %v", err)
		}
	}
}

// Who sees only the page can answer the five questions, and nothing was left out of the kept one.
func TestPageAnswers(t *testing.T) {
	root, _ := pageOf(t, copied(t))
	for id, want := range map[string][]string{
		"cost":    {"What does a nonce cost me?", "crypto/rand", "fount", "ns"},
		"use":     {"Which method should I use, and why?", "crypto/rand"},
		"scaling": {"How far does it scale?", "fount on", "x of one", "lock"},
		"load":    {"What happens to my logins under load?", "/s in time with a pool", "refuses"},
		"twice":   {"What may I never get twice?", "snapshot"},
	} {
		got := text(byID(t, root, id))
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("the answer %s says nothing of %q: %s", id, part, got)
			}
		}
		if strings.Contains(got, notMeasured) {
			t.Errorf("the answer %s was not measured", id)
		}
	}
	for _, id := range []string{nonceID, methodsID, scaleID, tailID, loginsID} {
		if s := byID(t, root, id); len(all(s, atom.Svg)) == 0 || len(all(s, atom.Table)) == 0 {
			t.Errorf("section %s has no plot or no table", id)
		}
	}
	for _, id := range []string{sourceID, filesID, cloneID, machineID} {
		if len(all(byID(t, root, id), atom.Table)) == 0 {
			t.Errorf("section %s has no table", id)
		}
	}
	if n := strings.Count(text(root), "Not measured:"); n != 0 {
		t.Errorf("%d sections were not measured", n)
	}
}

// A headline's figures are those of the table that it links to, and no size is in thousands of bytes.
func TestHeadlinesAreTheTables(t *testing.T) {
	root, _ := pageOf(t, copied(t))
	figures := regexp.MustCompile(`[0-9][0-9.,]*[0-9]`)
	for id, least := range map[string]int{"cost": 2, "scaling": 1, "load": 1} {
		article := byID(t, root, id)
		link := attribute(all(article, atom.A)[0], "href")
		var cells []string
		for _, table := range all(byID(t, root, strings.TrimPrefix(link, "#")), atom.Table) {
			cells = append(cells, strings.Fields(strings.ReplaceAll(text(table), "x ", " "))...)
		}
		headline := ""
		for _, p := range all(article, atom.P) {
			if attribute(p, "class") == "short" {
				headline, _, _ = strings.Cut(text(p), ", less than")
				headline, _, _ = strings.Cut(headline, ", at least")
			}
		}
		found := figures.FindAllString(headline, -1)
		if len(found) < least {
			t.Errorf("%s: %q has %d figures, want %d", id, headline, len(found), least)
		}
		for _, f := range found {
			if !slices.Contains(cells, f) {
				t.Errorf("%s: %q says %s, which no table of %s has", id, headline, f, link)
			}
		}
	}
	if found := manyBytes.FindString(text(root)); found != "" {
		t.Errorf("the page says %s", found)
	}
}

// changed is a copy of the kept report in which one file is changed as text.
func changed(t *testing.T, name string, edits ...string) string {
	t.Helper()
	dir := copied(t)
	path := filepath.Join(dir, name)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	again := strings.NewReplacer(edits...).Replace(string(b))
	if again == string(b) {
		t.Fatalf("%s holds none of %q", name, edits)
	}
	if err := os.WriteFile(path, []byte(again), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What was not judged is a figure nowhere on the page: neither in the answers nor in tables, notes or plots.
func TestNotJudgedIsNoFigure(t *testing.T) {
	var m scale.Result
	if err := decode(filepath.Join(kept, scaleFile), &m); err != nil {
		t.Fatal(err)
	}
	busy := func(share, speedup float64) string {
		for i := range m.Series {
			for k := range m.Series[i].Points {
				p := &m.Series[i].Points[k]
				p.Share = &measure.Sample{Median: share, Values: []float64{share}}
				if p.Threads == m.Cores {
					low, high := speedup-0.01, speedup+0.01
					p.Speedup = &measure.Sample{Median: speedup, Low: &low, High: &high, Values: []float64{speedup}}
				}
			}
		}
		m.Bars = m.Checks()
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		dir := copied(t, scaleFile)
		if err := os.WriteFile(filepath.Join(dir, scaleFile), b, 0o644); err != nil {
			t.Fatal(err)
		}
		root, _ := pageOf(t, dir)
		return text(root)
	}
	if got := busy(0.7, 3.4511); strings.Contains(got, "3.45") || !strings.Contains(got, "Not judged: other programs had the cores") {
		t.Error("a speedup that was not judged stands on the page, or the page does not say that it was not judged")
	}
	if got := busy(0.99, 3.4511); !strings.Contains(got, "3.45x") { // the control
		t.Error("a speedup that could be judged does not stand on the page")
	}
	// A ratio of two methods that can't be told apart is none.
	root, _ := pageOf(t, changed(t, nonceFile, `"differs": true`, `"differs": false`))
	section := text(byID(t, root, methodsID))
	if n := strings.Count(section, "no difference"); n < 5 {
		t.Errorf("%d methods have no difference to Baseline, want all: %s", n, section)
	}
}

// No answer promises more than the threat model.
func TestTwiceKeepsToTheThreatModel(t *testing.T) {
	for _, dir := range []string{copied(t), changed(t, doctorFile, `"window_bytes": 0`, `"window_bytes": 224`)} {
		root, _ := pageOf(t, dir)
		got := text(byID(t, root, "twice"))
		for _, part := range []string{"What comes twice all the same", "before the snapshot and used after it", "between the last look and its use", "seeded", "docs/threat-model.md"} {
			if !strings.Contains(got, part) {
				t.Errorf("the answer says nothing of %q: %s", part, got)
			}
		}
		if strings.Contains(got, "Nothing") {
			t.Errorf("the answer promises everything: %s", got)
		}
	}
}

// Published figures stand in columns and tables that say so, and in no plot.
func TestPublishedFiguresAreNamed(t *testing.T) {
	root, _ := pageOf(t, copied(t))
	for id, want := range map[string]string{
		methodsID: "the post, 2016", sourceID: "the post, 2017", scaleID: "Not measured here: what Andi Kleen's patch",
		filesID: "Not measured here: published figures",
	} {
		if s := text(byID(t, root, id)); !strings.Contains(s, want) {
			t.Errorf("section %s has no %q", id, want)
		}
	}
	for _, svg := range all(root, atom.Svg) {
		if s := strings.ToLower(text(svg)); !strings.Contains(s, "measured on this machine") || strings.Contains(s, "modelled") {
			t.Errorf("the plot %q does not say that it was measured", attribute(svg, "aria-label"))
		}
	}
}

// What a command could not measure is missing on the page, with the reason, and the rest stands.
func TestMissingIsNamed(t *testing.T) {
	for _, name := range names() {
		if name == doctorFile || name == madeFile || strings.HasPrefix(name, "logins") {
			continue
		}
		dir := copied(t, name)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(`{"error": "it broke <here>"}`), 0o644); err != nil {
			t.Fatal(err)
		}
		root, _ := pageOf(t, dir)
		if got := text(root); strings.Count(got, "Not measured: it broke <here>") != 1 {
			t.Errorf("without %s the page does not say once that it broke", name)
		}
	}
	if err := Make(copied(t, doctorFile), typed, nil); err == nil || !strings.Contains(err.Error(), doctorFile) {
		t.Errorf("without %s: %v; want an error that names it", doctorFile, err)
	}
	if err := Make(t.TempDir(), typed, nil); err == nil || !strings.Contains(err.Error(), madeFile) {
		t.Errorf("of an empty directory: %v; want an error that names %s", err, madeFile)
	}
	dir := copied(t, nonceFile)
	if err := os.WriteFile(filepath.Join(dir, nonceFile), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Make(dir, typed, nil); err == nil || !strings.Contains(err.Error(), nonceFile) {
		t.Errorf("with half a %s: %v; want an error that names it", nonceFile, err)
	}
}

// What a machine says of itself can't become a part of the page's code.
func TestPageEscapes(t *testing.T) {
	dir := copied(t)
	path := filepath.Join(dir, doctorFile)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const evil = `</style><script>alert(1)</script><svg onload=x>`
	var d doctor.Result
	if err := decode(path, &d); err != nil {
		t.Fatal(err)
	}
	quoted := strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(evil)
	b = bytes.ReplaceAll(b, []byte(`"`+d.Machine.CPU), []byte(`"`+quoted))
	b = bytes.ReplaceAll(b, []byte(`"name": "crypto/rand"`), []byte(`"name": "`+quoted+`"`))
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	root, raw := pageOf(t, dir)
	if n := len(all(root, atom.Script)); n > 0 || bytes.Contains(raw, []byte(evil)) {
		t.Errorf("%d scripts on the page", n)
	}
	if n := strings.Count(text(root), "alert(1)"); n < 3 {
		t.Errorf("the name stands %d times on the page as text, want it in the heading, the table and the plots", n)
	}
}

// All steps run in their order, each into its file; one that fails keeps none of the others from running.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, filesFile)
	if err := os.WriteFile(old, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	var ran []Step
	run := func(_ context.Context, s Step) ([]byte, error) {
		ran = append(ran, s)
		switch {
		case s.Study == Doctor:
			return []byte(`{"passwords": {"logins_per_s": 10}}`), nil
		case s.Study == Source:
			return nil, errors.New("no source here")
		case s.Study == Files:
			if _, err := os.Stat(old); err == nil {
				t.Error("a file of an earlier report is there while the steps run")
			}
		}
		return []byte("{}"), nil
	}
	last := -1.0
	failures, err := Run(t.Context(), dir, "fount test", run, func(name string, done float64, left time.Duration) {
		if name == "" || done < last || done >= 1 || left <= 0 {
			t.Errorf("progress %q, %v done after %v, %v left", name, done, last, left)
		}
		last = done
	})
	if err != nil || len(failures) != 1 || failures[0].Err.Error() != "no source here" {
		t.Errorf("failures %v, %v; want that of the source", failures, err)
	}
	if want := len(machineSteps()) + len(mechanisms)*len(multiples); len(ran) != want || ran[0].Study != Doctor {
		t.Errorf("%d steps %+v, want %d, doctor first", len(ran), ran, want)
	}
	last4x := ran[len(ran)-1]
	if last4x.Study != Logins || last4x.Mechanism != "pool+lanes" || last4x.Rate != 40 || last4x.For != 5*time.Second || last4x.Cut != time.Second {
		t.Errorf("the last step is %+v, want 40 logins/s of the pool for 5s without the first", last4x)
	}
	for _, name := range names() {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	raw, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if raw.Missing[sourceFile] != "no source here" || len(raw.Missing) != 1 || raw.Made.Version != "fount test" || len(raw.Made.Failed) != 1 {
		t.Errorf("missing %v, made %+v", raw.Missing, raw.Made)
	}
}

// Without doctor nobody knows how many logins to ask for.
func TestRunWithoutCapacity(t *testing.T) {
	run := func(_ context.Context, s Step) ([]byte, error) {
		if s.Study == Logins {
			t.Error("logins are asked for")
		}
		return []byte("{}"), nil
	}
	failures, err := Run(t.Context(), t.TempDir(), "", run, func(string, float64, time.Duration) {})
	if err != nil || len(failures) != 1 || failures[0].Step != "logins" {
		t.Errorf("%v, %v; want one failure, of the logins", failures, err)
	}
}

// Who interrupts gets the prompt back.
func TestRunIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	run := func(ctx context.Context, _ Step) ([]byte, error) {
		if n++; n == 2 {
			cancel()
			return nil, fmt.Errorf("killed")
		}
		return []byte("{}"), nil
	}
	if _, err := Run(ctx, t.TempDir(), "", run, func(string, float64, time.Duration) {}); !errors.Is(err, context.Canceled) || n != 2 {
		t.Errorf("%v after %d commands; want context.Canceled after 2", err, n)
	}
}

func TestPrepare(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := Prepare(dir, false); err != nil {
		t.Errorf("a new directory: %v", err)
	}
	if err := Prepare(dir, false); err != nil {
		t.Errorf("an empty one: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "letter"), []byte("dear"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Prepare(dir, false); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("one with a letter: %v; want an error that names it", err)
	}
	if err := Prepare(dir, true); err != nil {
		t.Errorf("with --force: %v", err)
	}
	if err := Prepare(filepath.Join(dir, "letter"), true); err == nil {
		t.Error("a file is taken for a directory")
	}
}

// A number that no machine measured, such as a bad disk writes, puts no NaN into a plot and no infinity into JSON.
func TestAbsurdNumbers(t *testing.T) {
	for _, test := range []struct{ name, field, number string }{
		{doctorFile, "all_cores_ns", "1e308"}, {doctorFile, "one_core_ns", "0"}, {doctorFile, "one_core_ns", "1e308"},
		{scaleFile, "values_per_s", `{"median": 0, "values": [0, 0]}`},
		{tailFile, "exceeded", `[{"above_ns": 10, "per_s_and_core": 1e308}, {"above_ns": 100, "per_s_and_core": 1}]`},
		{tailFile, "p50_ns", "1e308"}, {tailFile, "exceeded", `[{"above_ns": 0, "per_s_and_core": 0}]`},
	} {
		dir := copied(t)
		path := filepath.Join(dir, test.name)
		var root any
		if err := decode(path, &root); err != nil {
			t.Fatal(err)
		}
		if !set(root, test.field, json.RawMessage(test.number)) {
			t.Fatalf("%s has no %s", test.name, test.field)
		}
		b, err := json.Marshal(root)
		if err := errors.Join(err, os.WriteFile(path, b, 0o644)); err != nil {
			t.Fatal(err)
		}
		c, err := Compare(kept, dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(c); err != nil {
			t.Errorf("%s, %s %s: %v", test.name, test.field, test.number, err)
		}
		raw, err := Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		sections, _ := raw.sections(typed) // an error is an answer
		for _, s := range sections {
			for _, f := range s.Figures {
				if svg := string(f.Wide + f.Narrow); strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
					t.Errorf("%s, %s %s: a plot of %s has NaN or Inf", test.name, test.field, test.number, s.ID)
				}
			}
		}
	}
}

// set sets a field of that name wherever it stands.
func set(v any, field string, to any) (done bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if name == field {
				v[name], done = to, true
			} else {
				done = set(inner, field, to) || done
			}
		}
	case []any:
		for _, inner := range v {
			done = set(inner, field, to) || done
		}
	}
	return done
}
