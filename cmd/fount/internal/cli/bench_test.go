// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount bench: whole runs with turns of microseconds, whose figures mean nothing, and layouts of made-up figures.

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/lab/logins"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/nonce"
	"fount/lab/show"
	"fount/lab/show/golden"
	"fount/lab/source"

	"github.com/spf13/cobra"
)

// brief are flags for a run of milliseconds.
const brief = " --benchtime 300us --count 6"

// runBench runs fount bench with these words and returns what it prints.
func runBench(t *testing.T, words string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := Main(append([]string{"bench"}, strings.Fields(words)...), nil, &stdout, &stderr); status != statusOK || stderr.Len() > 0 {
		t.Fatalf("fount bench %s: exit status %d, stderr %q", words, status, stderr.String())
	}
	return stdout.String()
}

// inOrder fails the test unless text holds the parts one after the other.
func inOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%q is not there, or not in its place:\n%s", part, text)
		}
		rest = after
	}
	if strings.ContainsAny(text, "\r\x1b") {
		t.Errorf("a carriage return or an escape code in a pipe: %q", text)
	}
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
}

var rowsOfNonce = []string{"Baseline", "Channel", "Amortized", "ChannelAmortized", "ChannelRoundRobin", "ChannelManyWriters",
	"ChannelAmortizedManyWriters", "crypto/rand", "fount", "fount.Generator", "fount.Strict", "Empty"}

var rowsOfSource = []string{"Global", "Native", "Crypto", "CryptoRead", "Seed", "math/rand/v2", "fount.IntN", "fount.Generator",
	"fount.Source", "rand.NewChaCha8(fount.Key())"}

func TestBenchNonce(t *testing.T) {
	text := runBench(t, "nonce --via syscall --call gosched --cpu 1,2 --burst --idle 1ms --burst-length 100 --capacity 50 --buffer 64"+brief)
	parts := []string{"fount bench nonce --via syscall --call gosched", "--capacity 50", "--buffer 64", "--burst", "--idle", "1ms", "--burst-length 100",
		"--benchtime", "300µs", "--count 6\n", ", go1."}
	// Not the columns core and first: where figures are wide, as the race detector makes them, 80 columns
	// have no room for them. The golden tables have them.
	for _, cpu := range []string{"\nGOMAXPROCS 1, 1 goroutine\n", "\nGOMAXPROCS 2, 2 goroutines\n"} {
		parts = append(parts, "\nThe post's conditions: bytes come by the getrandom system call; ", cpu, "ns per nonce", " mean ")
		for range 2 { // table and chart
			for _, name := range rowsOfNonce {
				parts = append(parts, "\n  "+name+" ")
			}
		}
		parts = append(parts, "\nBursts of 100 nonces, each after a pause of 1ms\n")
		for range 2 {
			for _, name := range rowsOfNonce {
				parts = append(parts, "\n  "+name+" ")
			}
		}
		parts = append(parts, "\nConclusion\n", "Of the seven", "In steady use", "In bursts of 100")
	}
	inOrder(t, text, parts...)
}

func TestBenchSource(t *testing.T) {
	parts := []string{"fount bench source --benchtime 300µs --count 6 --goroutines 3\n", "\nGOMAXPROCS ", " 3 goroutines\n", " now ", " then ", "ratio then"}
	for range 2 {
		for _, name := range rowsOfSource {
			parts = append(parts, "\n  "+name+" ")
		}
	}
	inOrder(t, runBench(t, "source --goroutines 3"+brief), append(parts, "\nConclusion\n", "(Crypto)", "order of the five")...)
}

// The loopback works from end to end, a number of nonces is drawn exactly, and only what is asked for.
func TestBenchLoopback(t *testing.T) {
	text := runBench(t, "nonce --call loopback --benchtime 50x --count 1 --bench ^(Base|fount$)")
	inOrder(t, text, "--call loopback", "--benchtime", "50x", "--count 1", "--bench", "'^(Base|fount$)'", "\n  Baseline ", "\n  fount ", "Fewer than 6 runs have no 95 % interval and no verdict.", "p99.9 of",
		"\nConclusion\n  Fewer than two of the seven methods were measured")
	if strings.Contains(text, "Channel") && strings.Count(text, "Channel") > 0 {
		t.Errorf("a method that was not asked for:\n%s", text)
	}
}

// decode reads a --json run.
func decode(t *testing.T, words string) (r nonce.Report) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(runBench(t, words)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		t.Fatal(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		t.Errorf("something follows the object: %v", err)
	}
	return r
}

func TestBenchJSON(t *testing.T) {
	r := decode(t, "nonce --json --via go --call none --cpu 1,2 --goroutines 3 --burst --idle 1ms --burst-length 64 --channels 2 --writers 3"+brief)
	if r.Benchmark != "Nonce" || r.Via != "go" || r.Call != "none" || r.Count != 6 || r.Benchtime != "300µs" || r.Idle != "1ms" || r.BurstLength != 64 {
		t.Errorf("%+v", r)
	}
	if want := (nonce.Parameters{Capacity: 1000, Buffer: 256, Channels: 2, Writers: 3}); r.Parameters != want {
		t.Errorf("parameters %+v, want %+v", r.Parameters, want)
	}
	if r.Machine.OS == "" || len(r.Tables) != 2 {
		t.Fatalf("OS %q, %d tables, want 2", r.Machine.OS, len(r.Tables))
	}
	for i, table := range r.Tables {
		if table.GOMAXPROCS != i+1 || table.Goroutines != 3 || len(table.Conclusion.Sentences) == 0 || table.Conclusion.ChannelWins == nil {
			t.Errorf("table %d: %+v", i, table)
		}
		for _, rows := range [][]measure.Row{table.Methods, table.Bursts} {
			for k, row := range rows {
				if row.Name != rowsOfNonce[k] || row.Error != "" {
					t.Fatalf("row %d is of %q (%s), want %q", k, row.Name, row.Error, rowsOfNonce[k])
				}
				f := row.NS
				if low, high, ok := f.Interval(); len(f.Values) != 6 || !ok || low > f.Median || high < f.Median || low <= 0 {
					t.Errorf("%s: %+v", row.Name, f)
				}
				if base := rows[0].NS.Median; !nearly(row.Ratio, row.NS.Median/base) {
					t.Errorf("%s: ratio %v is not to Baseline", row.Name, row.Ratio)
				}
			}
			if len(rows) != len(rowsOfNonce) {
				t.Errorf("%d rows, want %d", len(rows), len(rowsOfNonce))
			}
		}
		if table.Methods[0].FirstNS != nil || table.Bursts[0].FirstNS == nil || table.Methods[0].P50NS == nil {
			t.Error("first draws are of bursts, percentiles of both")
		}
	}
	r = decode(t, "source --json --bench ^Global|Crypto$"+brief)
	if got := r.Tables[0].Methods; len(got) != 2 || got[0].ThenNS != 37.7 || got[1].ThenNS != 867 || r.Tables[0].Bursts != nil || r.Parameters != (nonce.Parameters{}) {
		t.Errorf("%+v", got)
	}
}

// Every field of the JSON is in the help.
func TestBenchJSONIsDocumented(t *testing.T) {
	for _, part := range []any{nonce.Report{}, logins.HashReport{}, measure.Table{}, measure.Row{}, measure.Sample{}, measure.Conclusion{}} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(part)) {
			if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); field.IsExported() && name != "-" && !field.Anonymous && (name == "" || !strings.Contains(benchLong, name)) {
				t.Errorf("%T.%s is %q in JSON; --help does not say so", part, field.Name, name)
			}
		}
	}
}

func TestBenchHelpFits(t *testing.T) {
	for _, cmd := range newBench().Commands() {
		text := commandHelp(cmd)
		if n := strings.Count(text, "\n"); n > 50 {
			t.Errorf("the help of %s has %d lines, want at most 50", cmd.Name(), n)
		}
		for line := range strings.Lines(text) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
				t.Errorf("the help of %s has a line of %d columns, want at most 110: %q", cmd.Name(), n, line)
			}
		}
		if cmd.Example == "" {
			t.Errorf("%s has no example", cmd.Name())
		}
	}
}

// The defaults take as long as the help says, on one value of --cpu and without opening and closing.
func TestBenchTime(t *testing.T) {
	for name, most := range map[string]time.Duration{"nonce": 30 * time.Second, "source": 7 * time.Second} {
		cmd, _, err := newBench().Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		var f benchFlags
		f.addTo(new(cobra.Command), 0)
		b := bench{benchFlags: f}
		b.cpu = []int{2}
		turns, methods := b.plan().Time(len(rowsOfNonce))*2*2, "12 methods, counted and timed, under two conditions"
		if name == "source" {
			turns, methods = b.plan().Time(len(rowsOfSource)), "11 methods"
		}
		if turns > most || !strings.Contains(cmd.Long, fmt.Sprintf("takes %.0f s", most.Seconds())) {
			t.Errorf("%s: %s take %v, want at most %v, and the help to say so", name, methods, turns, most)
		}
	}
}

// What a system does not have is a row of its own, no failure.
func TestBenchWithoutAMethod(t *testing.T) {
	rows := []measure.Row{
		measure.Failed(measure.Method{Name: "Baseline"}, fmt.Errorf("getrandom: %w", errors.ErrUnsupported)),
		{Name: "crypto/rand", NS: measure.Of(48, 49, 50, 51, 52, 53), Drawn: []int{1, 2, 3, 4, 5, 6}},
		measure.Failed(nonce.Fount(), errors.New("it failed for a reason that is too long to stand in a line of the table\nand more")),
	}
	r := nonce.Report{Report: measure.Report{Tables: []measure.Table{{Methods: measure.Against(nonce.Baseline, rows, never)}}}}
	text := r.Text(show.Style{Width: 80})
	inOrder(t, text, "  Baseline         -     -      -     -    -    -      -  not on "+machine.OSName()+"\n",
		"  crypto/rand   50.5    5%      -     -    -    -      -\n", "  fount            -", "fount: it failed for a reason", "in a line of",
		"  crypto/rand  #")
	if strings.Contains(text, "and more") {
		t.Error("more than one line of an error")
	}
}

func never(string, string) bool { return false }

// fixed is the report of a made-up machine.
func fixed() (nonceFlags, nonce.Report, measure.Report) {
	turn := 0 // each method has its own noise
	spread := func(ns float64) *measure.Sample {
		var s []float64
		for _, x := range []float64{1, 0.99, 1.01, 0.98, 1.02, 1, 1.01, 0.99, 1, 1.03} {
			s = append(s, ns*x)
		}
		return measure.Of(append(s[turn%10:], s[:turn%10]...)...)
	}
	drawn := slices.Repeat([]int{1000}, 10)
	row := func(m measure.Method, figures ...float64) measure.Row {
		r := measure.Row{Name: m.Name, Weakness: m.Weakness, Drawn: drawn}
		turn++
		for i, f := range []**measure.Sample{&r.NS, &r.CoreNS, &r.P50NS, &r.P99NS, &r.P999NS, &r.FirstNS} {
			if i < len(figures) {
				*f = spread(figures[i])
			}
		}
		return r
	}
	f := nonceFlags{Study: nonce.Post()}
	f.via, f.call = nonce.ViaSyscall.Name, "gosched"
	f.Via, f.Call, f.Burst = nonce.ViaSyscall, f.call, true
	f.bench, f.count, f.benchtime.d = regexp.MustCompile(""), 10, 40*time.Millisecond
	seven := nonce.Seven(f.Parameters)
	trial := nonce.Trial{Study: f.Study, Cores: 2}
	for i, m := range seven {
		figures := [][]float64{
			{319, 638, 372, 452, 616}, {484, 968, 64, 108, 130048}, {203, 406, 36, 1136, 1200}, {347, 694, 64, 80, 99328},
			{582, 1164, 68, 154, 452}, {599, 1198, 64, 80, 372736}, {348, 696, 64, 80, 97280},
		}[i]
		trial.Steady = append(trial.Steady, row(m, figures...))
		trial.Bursts = append(trial.Bursts, row(m, append(figures, 840)...))
	}
	trial.Steady = append(trial.Steady, row(nonce.CryptoRand(), 240, 480, 48, 300, 310), measure.Failed(nonce.Fount(), errors.ErrUnsupported), row(nonce.Empty(), 180, 360, 30, 31, 31))

	nonces := nonce.Report{Idle: f.Idle.String(), BurstLength: f.Length, Report: measure.Report{Tables: []measure.Table{trial.Table(2, 2)}}}

	var tale []measure.Row
	for _, m := range source.Methods() {
		ns := map[string]float64{"Global": 8.9, "Native": 4.3, "Crypto": 58, "CryptoRead": 36, "Seed": 4.3, "math/rand/v2": 6.3}[m.Name]
		if ns > 0 {
			tale = append(tale, row(m, ns))
		}
	}
	b := bench{name: "Source"}
	b.cpu = []int{4}
	integers := b.report()
	integers.Tables = []measure.Table{source.Table(tale, 4, 1)}
	return f, nonces, integers
}

var aMachine = machine.Facts{OS: "Linux", Kernel: "6.12.0", CPU: "Testium 9000 @ 2.50GHz", GoVersion: "go1.26.8",
	Random: machine.KernelRandom{VDSO: machine.Yes}}

// The layout at three widths.
func TestBenchLayout(t *testing.T) {
	f, nonces, integers := fixed()
	for _, width := range []int{40, 80, 100} {
		for name, unicode := range map[string]bool{"ascii": false, "unicode": true} {
			t.Run(fmt.Sprintf("%d_%s", width, name), func(t *testing.T) {
				s := show.Style{Width: width, Unicode: unicode}
				nonces.Machine = aMachine
				got := f.title(aMachine, s) + nonces.Text(s) + "\n" +
					f.benchFlags.title("fount bench source", aMachine, s) + source.Text(integers, s)
				for line := range strings.Lines(got) {
					if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
						t.Errorf("%d columns: %q", n, line)
					}
				}
				golden.Check(t, filepath.Join("testdata", "bench", fmt.Sprintf("%d_%s", width, name)), got)
			})
		}
	}
}

func nearly(a, b float64) bool { return math.Abs(a-b) < 1e-9*math.Abs(b) }
