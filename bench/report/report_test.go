// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"fount/bench/peers"
	"fount/internal/judge/equal"
	"fount/lab/measure"
	"fount/lab/show/figure"
)

var update = flag.Bool("update", false, "write the files of testdata that follow from testdata/peers.json")

// A round's process is this one, as it is the program's.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "-serve" {
		if err := serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	m.Run()
}

// from reads results of a file.
func from(t *testing.T, path string) *Result {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := read(text)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r
}

// The files of testdata follow from testdata/peers.json, a short run on a busy machine.
func TestRender(t *testing.T) {
	files, err := render(from(t, "testdata/peers.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 3 {
		t.Errorf("%d files; want tables and two plots", len(files))
	}
	for name, got := range files {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, got, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		sameFile(t, path, got)
	}
}

// The published tables and plots follow from the published results.
func TestPublished(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "results")
	files, err := render(from(t, filepath.Join(dir, "peers.json")))
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range files {
		sameFile(t, filepath.Join(dir, name), got)
	}
}

// sameFile compares line by line, as a whole file is too much to read.
func sameFile(t *testing.T, path string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("%s:%d is\n%s\nbut follows as\n%s", path, i+1, b[i], a[i])
			return
		}
	}
	if len(a) != len(b) {
		t.Errorf("%s has %d lines; %d follow", path, len(b), len(a))
	}
}

// A plot is XML, and says what it shows.
func TestPlots(t *testing.T) {
	files, err := render(from(t, "testdata/peers.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"peers-size.svg":   {"crypto/rand FIPS", "fount.Generator", "4 Ki", "GB per second of CPU time", "Medians of 6 rounds"},
		"peers-values.svg": {"Nonce: fount.Generator", "Text: crypto/rand", "2 cores at once", "go1.26"},
	} {
		for d := xml.NewDecoder(bytes.NewReader(files[name])); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for _, text := range want {
			if !bytes.Contains(files[name], []byte(text)) {
				t.Errorf("%s does not say %q", name, text)
			}
		}
	}
	for _, p := range peers.All() {
		if p.Open != nil && p.Open().Read != nil && figure.Methods[p.Name].Color == "" {
			t.Errorf("%s reads and has no look in the plot", p.Name)
		}
	}
}

// of is a result of six rounds on two cores.
func of(lists ...[]*Series) *Result {
	r := &Result{Rounds: 6, Cores: 2}
	for _, list := range lists {
		r.Series = append(r.Series, list...)
	}
	return r
}

// even is what one peer took, of CPU time in ns. The clock takes a half more, on both cores.
func even(task peers.Task, name string, one, all, allocations float64) []*Series {
	a, b := &Series{Task: task.Name, Peer: name, Allocations: allocations}, &Series{Task: task.Name, Peer: name, All: true}
	for i := range 6 {
		noise := 1 + float64(i)/1000
		a.ClockNS, a.CPUNS = append(a.ClockNS, 1.5*one*noise), append(a.CPUNS, one*noise)
		b.ClockNS, b.CPUNS = append(b.ClockNS, 1.5*all/2*noise), append(b.CPUNS, all*noise)
	}
	return []*Series{a, b}
}

// uneven is even with rounds that differ by a tenth, and all of the cores' time.
func uneven(task peers.Task, name string, ns float64) []*Series {
	list := even(task, name, 0, 0, 0)
	for i := range 6 {
		off := 1 + 0.1*float64(i%3-1)
		list[0].ClockNS[i], list[0].CPUNS[i] = ns*off, ns*off
		list[1].ClockNS[i], list[1].CPUNS[i] = ns*off/2, ns*off
	}
	return list
}

// Of bars that are met exactly, at most 5 % of reports hold any that is held or missed. Judged by medians, the control, each
// was one or the other.
func TestEqualMethods(t *testing.T) {
	const n = 15 // as many as checks gives
	values := func(m equal.Machine, rng *rand.Rand) (list [][]float64) {
		turns := m.Rounds(rng, 2*n, 10, 50*time.Millisecond, true)
		for i := range n {
			list = append(list, measure.Over(turns[2*i], turns[2*i+1]))
		}
		return list
	}
	equal.Test(t, os.Getenv("FOUNT_LONG") == "1", []string{"bench/report: a bar held or missed where the cost is the bar", "bench/report: a bar held there"},
		func(m equal.Machine, rng *rand.Rand) []bool {
			var b bars
			var all []said
			for _, v := range values(m, rng) {
				all = append(all, b.atMost(1, v))
			}
			b.family.Decide()
			sure, held := false, false
			for _, is := range all {
				sure, held = sure || is() != "undecided", held || is() == "held"
			}
			return []bool{sure, held}
		},
		func(m equal.Machine, rng *rand.Rand) []bool {
			held := false
			for _, v := range values(m, rng) {
				held = held || measure.Of(v...).Median <= 1
			}
			return []bool{true, held}
		})
}

func TestChecks(t *testing.T) {
	base := even(peers.Nonce, "crypto/rand", 100, 100, 0)
	for _, test := range []struct {
		name string
		r    *Result
		want []string
	}{
		{"all held", of(base, even(peers.Nonce, "fount", 16.6, 17.3, 0), even(peers.Text, "fount", 100, 100, 1)), []string{
			"fount to crypto/rand: 16.6 ns to 100 ns = 0.166 (0.166 to 0.166); at most 1/6 = 0.167: held.",
			"at least 1.90: by CPU time 1.92 (1.92 to 1.92): held; the goroutines had the cores for 67 % of the time, and by the clock: not judged.",
			"in 2 tasks: held.",
		}},
		{"all missed", of(base, even(peers.Nonce, "fount", 17, 18, 1), even(peers.Text, "fount", 100, 100, 2)), []string{
			"= 0.170 (0.170 to 0.170); at most 1/6 = 0.167: missed.",
			"by CPU time 1.89 (1.89 to 1.89): missed;",
			"missed: Nonce of fount makes 1 instead of 0, Text of fount makes 2 instead of 1",
		}},
		{"undecided", of(base, uneven(peers.Nonce, "fount", 16.6)), []string{"at most 1/6 = 0.167: undecided.", "by CPU time 2.00", "in 1 tasks: held."}},
		{"nothing to compare with", of(even(peers.Nonce, "fount", 85, 85, 0)), []string{"by CPU time 2.00", "in 1 tasks: held."}},
		{"nothing to check", of(base), nil},
	} {
		got := checks(test.r)
		if len(got) != len(test.want) {
			t.Errorf("%s: %d lines; want %d:\n%s", test.name, len(got), len(test.want), strings.Join(got, "\n"))
			continue
		}
		for i, want := range test.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%s: line %d is\n%s\nwant in it\n%s", test.name, i, got[i], want)
			}
		}
	}
}

// On one core nothing is said of several.
func TestChecksOneCore(t *testing.T) {
	r := of(even(peers.Nonce, "fount", 85, 85, 0)[:1], even(peers.Nonce, "crypto/rand", 85, 85, 0)[:1])
	r.Cores = 1
	if got := checks(r); len(got) != 3 || !strings.Contains(got[1], "GOMAXPROCS was 1") {
		t.Errorf("the lines are %q", got)
	}
	files, err := render(r)
	if err != nil {
		t.Error(err)
	}
	for name, text := range files {
		if plural := regexp.MustCompile(`\b1 (?:cores|goroutines)`).Find(text); plural != nil {
			t.Errorf("%s says %q", name, plural)
		}
	}
	if md := string(files["peers.md"]); strings.Contains(md, "**gain**") || !strings.Contains(md, "| | one core | ratio | allocations |\n|---|--:|--:|--:|\n") {
		t.Errorf("peers.md tells of several cores:\n%s", md)
	}
}

// A system that does not tell CPU time gets the clock's figures, and is told so.
func TestClockOnly(t *testing.T) {
	r := of(even(peers.Read(16), "fount", 80, 80, 0), even(peers.Read(32), "fount", 90, 90, 0),
		even(peers.Nonce, "fount", 80, 80, 0), even(peers.Nonce, "crypto/rand", 80, 80, 0))
	for _, s := range r.Series {
		s.CPUNS = nil
	}
	files, err := render(r)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"peers.md":         "| **fount** | 120 ns ± 0 % |  | 120 ns ± 0 % | 2.00 | 0 |",
		"peers-size.svg":   ">GB per second<",
		"peers-values.svg": "time by the clock",
	} {
		if !strings.Contains(string(files[name]), want) {
			t.Errorf("%s does not say %q", name, want)
		}
	}
	if md := string(files["peers.md"]); strings.Contains(md, "by CPU time") {
		t.Error("peers.md has a column of CPU time")
	}
}

// A peer that fails, by an error or a panic, in any round, is one row that says why. The others are measured.
func TestFailures(t *testing.T) {
	draws := func(draw func(n int)) func() (measure.Source, error) {
		return func() (measure.Source, error) {
			return measure.Workers(func(int) measure.Worker { return measure.Loop{Do: draw} }), nil
		}
	}
	opened := 0
	methods := []measure.Method{
		{Name: "crypto/rand", Open: draws(func(n int) { time.Sleep(time.Duration(n)) })},
		{Name: "frand", Open: func() (measure.Source, error) { return nil, errors.New("no | entropy") }},
		{Name: "math/rand/v2 ChaCha8", Open: draws(func(int) { panic("drained") })},
		{Name: "fount", Open: func() (measure.Source, error) {
			if opened++; opened > 3*min(2, runtime.GOMAXPROCS(0)) { // in the fourth round, or where allocations are counted
				return nil, errors.New("worn out")
			}
			return draws(func(int) {})()
		}},
	}
	r := &Result{Rounds: 6, Cores: runtime.GOMAXPROCS(0)}
	for i := range r.Rounds {
		for _, s := range (round{Turn: time.Microsecond, Count: i == 5}).measure(peers.Nonce, methods) {
			r.add(s)
		}
	}
	r.settle()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if r, err = read(text); err != nil {
		t.Fatal(err)
	}
	files, err := render(r)
	if err != nil {
		t.Fatal(err)
	}
	md := string(files["peers.md"])
	for _, want := range []string{"| frand | not measured: no \\| entropy | ", "| not measured: panic: drained | ", "| **fount** | not measured: worn out | "} {
		if strings.Count(md, want) != 1 {
			t.Errorf("peers.md does not say %q once:\n%s", want, md)
		}
	}
	if !r.has(peers.Nonce, peer("crypto/rand")) {
		t.Error("the peer that works was not measured")
	}
	inCounting := measure.Method{Name: "math/rand/v2 PCG", Open: func() func() (measure.Source, error) {
		opened := 0
		return func() (measure.Source, error) {
			if opened++; opened > min(2, runtime.GOMAXPROCS(0)) {
				panic("worn out")
			}
			return draws(func(int) {})()
		}
	}()}
	if list := (round{Turn: time.Microsecond, Count: true}).measure(peers.Nonce, []measure.Method{inCounting}); len(list) != 1 || list[0].Error != "panic: worn out" {
		t.Errorf("a panic while allocations are counted is %d series: %+v", len(list), list[0])
	}
	if got := failures(r); len(got) != 3 || got[0] != "Nonce of frand was not measured: no | entropy." {
		t.Errorf("%q; want 3 lines", got)
	}
	if sums := checks(r); strings.Contains(strings.Join(sums, ""), "fount") {
		t.Errorf("a bar is checked of what was not measured: %q", sums)
	}
	if _, err := render(&Result{Rounds: 1, Cores: 2, Series: []*Series{{Task: "Nonce", Peer: "fount", Error: "worn out"}}}); err != nil {
		t.Errorf("where nothing was measured: %v", err)
	}
}

// Where one turn shows no CPU time, as those do that are shorter than a tick, all costs are elapsed time.
func TestTurnWithoutCPU(t *testing.T) {
	told := measure.ProcessCPU
	defer func() { measure.ProcessCPU = told }()
	method := func(name string) []measure.Method {
		return []measure.Method{{Name: name, Open: measure.Stateless(func([]byte) {})}}
	}
	ticks, tick := time.Duration(0), time.Duration(1)
	measure.ProcessCPU = func() time.Duration { ticks += tick; return ticks }
	for name, missing := range map[string]func(round int, peer string) bool{
		"none":     func(int, string) bool { return false }, // the control
		"one turn": func(round int, peer string) bool { return round == 2 && peer == "fount" },
		"a series": func(_ int, peer string) bool { return peer == "crypto/rand" },
	} {
		r := &Result{Rounds: 6, Cores: runtime.GOMAXPROCS(0)}
		for i := range r.Rounds {
			for _, peer := range []string{"fount", "crypto/rand"} {
				tick = 1
				if missing(i, peer) {
					tick = 0
				}
				for _, s := range (round{Turn: time.Microsecond}).measure(peers.Nonce, method(peer)) {
					r.add(s)
				}
			}
		}
		unsettled := r.cpu()
		r.settle()
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = read(text); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		md := string(tables(r))
		for _, s := range r.Series {
			if (s.CPUNS == nil) != (name != "none") {
				t.Errorf("%s: the CPU times are %v", name, s.CPUNS)
			}
		}
		if r.cpu() != (name == "none") || unsettled != r.cpu() || strings.Contains(md, "does not tell the CPU time of each turn") != (name != "none") {
			t.Errorf("%s: costs are CPU time: %v; peers.md is\n%s", name, r.cpu(), md)
		}
	}
}

func TestReadFindsMistakes(t *testing.T) {
	for want, text := range map[string]string{
		"no series":               `{"rounds": 6}`,
		"unexpected end of JSON":  `{"series": [`,
		"1 and 0 times; want 6":   `{"rounds": 6, "series": [{"clock_ns": [1]}]}`,
		"2 and 1 times; want 2, ": `{"rounds": 2, "series": [{"clock_ns": [1, 2], "cpu_ns": [1]}]}`,
	} {
		if _, err := read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("read says %v; want %q", err, want)
		}
	}
}

func TestTimes(t *testing.T) {
	for ns, want := range map[float64]string{
		4.996: "5.00 ns", 9.9951: "10.0 ns", 57.26: "57.3 ns", 99.96: "100 ns", 999.6: "1.00 µs",
		2034: "2.03 µs", 1.845e6: "1.84 ms", 2e9: "2.00 s",
	} {
		if got := times(ns); got != want {
			t.Errorf("times(%v) is %s; want %s", ns, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	for args, want := range map[string]string{
		"-count 0":         "-count is 0; want 1 or more",
		"-benchtime 0s":    "-benchtime is 0s; want more than 0",
		"-benchtime 100x":  `invalid value "100x" for flag -benchtime: parse error`,
		"-quick -redraw":   "-quick measures and -redraw does not; want one of them",
		"-bench (":         "-bench (: error parsing regexp: missing closing ): `(`",
		"docs":             `"docs" is one argument too many; want flags only`,
		"-nosuch":          "flag provided but not defined: -nosuch",
		"-bench Read -out": "flag needs an argument: -out",
	} {
		if _, err := parse(strings.Fields(args)); err == nil || err.Error() != want {
			t.Errorf("report %s says %v; want %s", args, err, want)
		}
	}
	o, err := parse([]string{"-bench", "Read|it's", "-out", "/tmp", "-quick"})
	if err != nil || o.benchtime != quickTime || o.count != quickCount {
		t.Errorf("-quick is %v, %d rounds, %v", o.benchtime, o.count, err)
	}
	if want := `go run ./bench/report '-bench=Read|it'\''s' -quick=true`; o.command != want {
		t.Errorf("the command is %s; want %s", o.command, want)
	}
}

// A run measures in processes of both modes, and writes.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	o := options{bench: "^Nonce/(crypto/rand|crypto/rand FIPS|fount)$", benchtime: time.Millisecond, count: 2, out: dir, command: "test"}
	var stdout strings.Builder
	if err := run(context.Background(), o, &stdout); err != nil {
		t.Fatal(err)
	}
	r := from(t, filepath.Join(dir, "peers.json"))
	want := 2 * min(2, r.Cores)
	if !r.NoFIPS {
		want = 3 * min(2, r.Cores)
	}
	if len(r.Series) != want || r.Rounds != 2 {
		t.Errorf("%d series of %d rounds; want %d of 2", len(r.Series), r.Rounds, want)
	}
	for _, want := range []string{"test\n2 rounds", "frand v", r.Machine.GoVersion} {
		if !strings.Contains(r.header(), want) {
			t.Errorf("the header has no %q:\n%s", want, r.header())
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%d files, %v; want peers.json, peers.md and peers-values.svg, as one size is no curve", len(entries), err)
	}
	if !strings.Contains(stdout.String(), "fount to crypto/rand: ") || !strings.Contains(stdout.String(), " in 1 tasks: ") { // held or missed: a build with -race allocates
		t.Errorf("run prints\n%s", stdout.String())
	}
}

// What is wrong is said in one line, and nothing is written.
func TestRunErrors(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none")
	for want, o := range map[string]options{
		"-bench Nosuch matches nothing":        {bench: "Nosuch", benchtime: 1, count: 1, out: dir},
		"stat " + none:                         {bench: ".", benchtime: 1, count: 1, out: none},
		"open " + filepath.Join(none, "peers"): {redraw: true, out: none},
	} {
		if err := run(context.Background(), o, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("run says %v; want %q", err, want)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("%d files were written, %v", len(entries), err)
	}
}
