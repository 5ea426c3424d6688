// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/bench/peers"
	"fount/internal/judge/equal"
)

var update = flag.Bool("update", false, "write the files of testdata that follow from testdata/peers.txt")

// from reads results of a file.
func from(t *testing.T, path string) *results {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := read(path, text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The files of testdata follow from testdata/peers.txt, a short run on a busy machine.
func TestRender(t *testing.T) {
	files, err := render(from(t, "testdata/peers.txt"))
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
	files, err := render(from(t, filepath.Join(dir, "peers.txt")))
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
	files, err := render(from(t, "testdata/peers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"peers-size.svg":   {"crypto/rand FIPS", "fount.Generator", "4 Ki", "GB per second of CPU time", "Medians of 6 rounds"},
		"peers-values.svg": {"Nonce: 16 bytes as an array", "Text: 26", "fount, 2 cores at once", "go1.26"},
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
		if p.Open != nil && p.Open().Read != nil && looks[p.Name].Color == "" {
			t.Errorf("%s reads and has no look in the plot", p.Name)
		}
	}
}

// line writes a result as go test does. times are ns by the clock and CPU time.
func line(task, slug, goroutines string, clock, cpu float64, allocs int) string {
	return fmt.Sprintf("Benchmark%s/method=%s/goroutines=%s-2 \t 1000 \t %v ns/op \t %v cpu-ns/op \t 0 B/op \t %d allocs/op\n",
		task, slug, goroutines, clock, cpu, allocs)
}

// lines is six rounds of one task. The clock takes a half more than the CPU time, on both cores.
func lines(task, slug string, one, all float64, allocs int) (text string) {
	for i := range 6 {
		noise := 1 + float64(i)/1000
		text += line(task, slug, "1", 1.5*one*noise, one*noise, allocs)
		text += line(task, slug, "all", 1.5*all/2*noise, all*noise, allocs)
	}
	return text
}

// uneven is lines whose rounds differ by a tenth.
func uneven(task, slug string, ns float64) (text string) {
	for i := range 6 {
		off := 1 + 0.1*float64(i%3-1)
		text += line(task, slug, "1", ns*off, ns*off, 0) + line(task, slug, "all", ns*off/2, ns*off, 0)
	}
	return text
}

// Of bars that are met exactly, at most 5 % of reports hold any that is held or missed. Judged by medians, the control, each
// was one or the other.
func TestEqualMethods(t *testing.T) {
	const n = 15 // as many as checks gives
	values := func(m equal.Machine, rng *rand.Rand) (list [][]float64) {
		turns := m.Rounds(rng, 2*n, 10, 50*time.Millisecond, true)
		for i := range n {
			list = append(list, divided(turns[2*i], turns[2*i+1]))
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
				held = held || median(v).Center <= 1
			}
			return []bool{true, held}
		})
}

// parsed reads results from text.
func parsed(t *testing.T, text string) *results {
	t.Helper()
	r, err := read("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestChecks(t *testing.T) {
	base := lines("Nonce", "crypto_rand", 100, 100, 0)
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"all held", base + lines("Nonce", "fount", 16.6, 17.3, 0) + lines("Text", "fount", 100, 100, 1), []string{
			"fount to crypto/rand: 16.6 ns to 100 ns = 0.166 (0.166 to 0.166); at most 1/6 = 0.167: held.",
			"at least 1.90: by CPU time 1.92 (1.92 to 1.92): held; the goroutines had the cores for 67 % of the time, and by the clock: not judged.",
			"in 4 benchmarks: held.",
		}},
		{"all missed", base + lines("Nonce", "fount", 17, 18, 1) + lines("Text", "fount", 100, 100, 2), []string{
			"= 0.170 (0.170 to 0.170); at most 1/6 = 0.167: missed.",
			"by CPU time 1.89 (1.89 to 1.89): missed;",
			"missed: Nonce of fount makes 1 instead of 0, Nonce of fount makes 1 instead of 0, Text of fount makes 2 instead of 1",
		}},
		{"undecided", base + uneven("Nonce", "fount", 16.6), []string{"at most 1/6 = 0.167: undecided.", "by CPU time 2.00", "in 2 benchmarks: held."}},
		{"nothing to compare with", lines("Nonce", "fount", 85, 85, 0), []string{"by CPU time 2.00", "in 2 benchmarks: held."}},
		{"nothing to check", base, nil},
	} {
		got := checks(parsed(t, test.text))
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
	text := strings.ReplaceAll(lines("Nonce", "fount", 85, 85, 0), "-2 \t", " \t")
	if got := checks(parsed(t, text)); !strings.Contains(got[0], "GOMAXPROCS was 1") {
		t.Errorf("the first line is %q", got[0])
	}
}

// A system that does not tell CPU time gets the clock's figures, and is told so.
func TestClockOnly(t *testing.T) {
	text := lines("Read/size=16", "fount", 80, 80, 0) + lines("Read/size=32", "fount", 90, 90, 0) + lines("Nonce", "fount", 80, 80, 0)
	var without string
	for l := range strings.Lines(text) {
		fields := strings.Split(l, "\t")
		without += strings.Join(slices.Delete(fields, 3, 4), "\t")
	}
	r := parsed(t, without)
	files, err := render(r)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"peers.md":         "| **fount** | 120 ns ± 0 % |  | 120 ns ± 0 % | 2.00 | 0 |",
		"peers-size.svg":   ">GB per second<",
		"peers-values.svg": "time of one value by the clock",
	} {
		if !strings.Contains(string(files[name]), want) {
			t.Errorf("%s does not say %q", name, want)
		}
	}
	if md := string(files["peers.md"]); strings.Contains(md, "by CPU time") {
		t.Error("peers.md has a column of CPU time")
	}
}

func TestReadFindsMistakes(t *testing.T) {
	good := lines("Nonce", "fount", 85, 85, 0)
	for want, text := range map[string]string{
		"no results":                                                 "PASS\n",
		"test:2: parsing iteration count":                            line("Nonce", "fount", "1", 1, 1, 0) + "BenchmarkNonce/method=fount/goroutines=1-2 many 1 ns/op\n",
		"test:13: a result of 4 cores after some of 2":               good + strings.ReplaceAll(line("Nonce", "fount", "1", 1, 1, 0), "-2 ", "-4 "),
		"Text of fount: 1 times and 1 counts of allocations; want 6": good + line("Text", "fount", "1", 1, 1, 1),
	} {
		if _, err := read("test", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("read says %v; want %q", err, want)
		}
	}
}

func TestSeconds(t *testing.T) {
	for s, want := range map[float64]string{
		4.996e-9: "5.00 ns", 9.9951e-9: "10.0 ns", 57.26e-9: "57.3 ns", 99.96e-9: "100 ns", 999.6e-9: "1.00 µs",
		2.034e-6: "2.03 µs", 1.845e-3: "1.84 ms", 2: "2.00 s",
	} {
		if got := seconds(s); got != want {
			t.Errorf("seconds(%v) is %s; want %s", s, got, want)
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
	o, err := parse([]string{"-bench", "Read|it's", "-quick"})
	if err != nil || o.benchtime != quickTime || o.count != quickCount {
		t.Errorf("-quick is %v, %d rounds, %v", o.benchtime, o.count, err)
	}
	if want := `go run ./bench/report -bench 'Read|it'\''s' -quick`; o.command != want {
		t.Errorf("the command is %s; want %s", o.command, want)
	}
}

// A run builds the benchmarks, measures, and writes what benchfmt and benchstat read.
func TestRun(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("%v: this test runs the go command", err)
	}
	dir := t.TempDir()
	o := options{
		bench: "Nonce/method=(crypto_rand|crypto_rand_FIPS|fount)$", benchtime: time.Millisecond, count: 2, out: dir, command: "test",
	}
	var stdout strings.Builder
	if err := run(context.Background(), o, &stdout); err != nil {
		t.Fatal(err)
	}
	raw := filepath.Join(dir, "peers.txt")
	r := from(t, raw)
	measured := len(r.series)
	if fips := r.get(peers.Nonce, peer("crypto/rand FIPS"), true) != nil; measured != 6 && (fips || measured != 4) || r.rounds != 2 {
		t.Errorf("%d series of %d rounds; want 6 (4 without FIPS mode) of 2", measured, r.rounds)
	}
	for _, want := range []string{"# test\n", "2 rounds", "goos: ", "go: go1.", "kernel: ", "frand v"} {
		if !strings.Contains(r.header, want) {
			t.Errorf("the header has no %q:\n%s", want, r.header)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("%d files, %v; want peers.txt, peers.md and peers-values.svg, as one size is no curve", len(entries), err)
	}
	if !strings.Contains(stdout.String(), "fount to crypto/rand: ") || !strings.Contains(stdout.String(), " in 2 benchmarks: ") { // held or missed: a build with -race allocates
		t.Errorf("run prints\n%s", stdout.String())
	}
	benchstat(t, raw)
}

// benchstat takes the published file too.
func TestPublishedBenchstat(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("%v: this test runs the go command", err)
	}
	benchstat(t, filepath.Join("..", "..", "docs", "results", "peers.txt"))
}

// benchstat runs the pinned benchstat, which must print figures and complain of nothing.
func benchstat(t *testing.T, path string) {
	t.Helper()
	cmd := exec.Command("go", "tool", "benchstat", "-filter", ".unit:ns/op", "-row", ".fullname", "-col", "/method", path)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 || !strings.Contains(string(out), "fount") || !strings.Contains(string(out), "sec/op") {
		t.Errorf("benchstat %s: %v\n%s%.2000s", path, err, &stderr, out)
	}
}

// What is wrong is said in one line, and nothing is written.
func TestRunErrors(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("%v: this test runs the go command", err)
	}
	dir := t.TempDir()
	none := filepath.Join(dir, "none")
	for want, o := range map[string]options{
		"-bench Nosuch matches no benchmark":   {bench: "Nosuch", benchtime: 1, count: 1, out: dir},
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
