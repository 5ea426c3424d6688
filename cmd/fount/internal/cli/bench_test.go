// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount bench: whole runs with turns of microseconds, whose figures mean nothing, and layouts of made-up figures.

package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strings"
	"testing"

	"fount/lab/measure"
	"fount/lab/nonce"
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

func nearly(a, b float64) bool { return math.Abs(a-b) < 1e-9*math.Abs(b) }
