// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package telemetry

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/password"
)

func newPool(t testing.TB) *password.Pool {
	t.Helper()
	p, err := password.NewPool(password.Options{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 4}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// paths are the names in a JSON value, with a * for each number of a list.
func paths(v any, at string, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, v := range v {
			paths(v, at+"."+name, into)
		}
	case []any:
		for _, v := range v {
			paths(v, at+".*", into)
		}
	default:
		into[strings.TrimPrefix(at, ".")] = true
	}
}

// The names of version 1, all of which are there before the first call. Only the library's differ between machines.
func TestNames(t *testing.T) {
	text, err := json.Marshal(Read(newPool(t)))
	if err != nil {
		t.Fatal(err)
	}
	var report map[string]any
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mode", "window_bytes", "reseeds", "redone", "pools"} {
		if _, ok := report["library"].(map[string]any)[name]; !ok {
			t.Errorf("library has no %s", name)
		}
	}
	delete(report, "library")
	found := map[string]bool{}
	paths(report, "", found)
	got := strings.Join(slices.Sorted(maps.Keys(found)), "\n") + "\n"
	const file = "testdata/version1.txt" // do not change it: readers rely on it. Add lines
	want, err := os.ReadFile(file)
	if got != string(want) {
		t.Errorf("%s, %v; the names are now\n%s", file, err, got)
	}
}

// Each value that the report must never take back, by name.
func counters(t *testing.T, r Report) map[string]float64 {
	t.Helper()
	c := map[string]float64{}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var report any
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	var walk func(v any, at string)
	walk = func(v any, at string) {
		switch v := v.(type) {
		case map[string]any:
			for name, v := range v {
				walk(v, at+"."+name)
			}
		case []any:
			for i, v := range v {
				walk(v, fmt.Sprintf("%s.%d", at, i))
			}
		case float64:
			last := at[strings.LastIndex(at, ".")+1:]
			if strings.Contains(at, ".counts.") || strings.Contains(at, ".reasons.") || strings.Contains(at, ".lanes.") ||
				slices.Contains([]string{"count", "sum_seconds", "started", "filler", "overloads", "overload_total_seconds",
					"observer_panics", "reseeds",
					"redone"}, last) {
				c[at] = v
			}
		}
	}
	walk(report, "")
	return c
}

// What has become of all calls adds up from the report alone, counters never fall and none appears late.
func TestCounters(t *testing.T) {
	p := newPool(t)
	before := counters(t, Read(p))
	const address = "192.0.2.77"
	login := password.Login{Principal: address}
	stored, err := p.Hash(t.Context(), login, []byte("right"))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		p.Verify(t.Context(), login, []byte("right"), stored)
		p.Verify(t.Context(), login, []byte("wrong"), stored)
		p.Verify(t.Context(), password.Login{Upgrade: true}, []byte("right"), stored)
	}
	r := Read(p)
	now := counters(t, r)
	for name, v := range before {
		if got, ok := now[name]; !ok || got < v {
			t.Errorf("%s was %v and is %v, %v", name, v, got, ok)
		}
	}
	for name := range now {
		if _, ok := before[name]; !ok {
			t.Errorf("%s was not there before the first call", name)
		}
	}
	for name, want := range map[string]float64{
		".password.classes.sign_in.started":                        7,
		".password.classes.sign_in.outcomes.match.count":           3,
		".password.classes.sign_in.outcomes.match.total.count":     3,
		".password.classes.sign_in.outcomes.mismatch.reasons.none": 3,
		".password.classes.sign_in.outcomes.hashed.count":          1,
		".password.classes.sign_in.wait.count":                     7,
		".password.classes.rehash.service.count":                   3,
		".password.hashes.0.service.count":                         10,
	} {
		if got, ok := now[name]; !ok || got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for class, c := range r.Password.Classes {
		sum := c.InFlight
		for _, o := range c.Outcomes {
			sum += o.Count
		}
		if sum != c.Started {
			t.Errorf("%s: %d started, of which %d are accounted for", class, c.Started, sum)
		}
	}
	text, err := json.Marshal(r)
	if err != nil || strings.Contains(string(text), address) || !strings.Contains(string(text), p.PrincipalID(address)) {
		t.Errorf("the principal's address must not be in it, and its ID must: %s, %v", text, err)
	}
	var back Report
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back.Password, r.Password) {
		t.Errorf("read back as %+v, %v", back.Password, err)
	}
	if h := r.Password.Classes["sign_in"].Service.Password(); h.Count != 7 || h.Quantile(1) <= 0 || h.Sum <= 0 {
		t.Errorf("as password.Histogram: %+v", h)
	}
}

// Each figure is the one of Stats that its name says, in its unit.
func TestFigures(t *testing.T) {
	ms := time.Millisecond
	h := func(n uint64) password.Histogram {
		return password.Histogram{Count: n, Sum: time.Duration(n) * time.Second, Counts: []uint64{n}}
	}
	s := password.Stats{
		Start: time.UnixMilli(1500), Workers: 2, Busy: 3, Memory: 4, MemoryInUse: 5, MaxWait: 6 * ms, Wait: 7 * ms,
		Lanes: []uint64{14}, ObserverPanics: 15,
		Hashes: []password.HashStats{{Algorithm: "a", Cost: "c", Wait: h(16), Service: h(17), Alone: 18 * ms, Drain: 19 * ms}},
		Top:    []password.PrincipalUse{{ID: "p", Calls: 20, Error: 21}},
		SignIn: password.ClassStats{
			Calls: password.CallStats{
				Started: 22, InFlight: 23, Wait: h(24), Service: h(25),
				Outcomes: []password.OutcomeStats{{
					Outcome: password.OutcomeRefused, Count: 26, Total: h(27),
					Reasons: []password.ReasonStats{{Reason: password.ReasonShare, Count: 28}},
				}},
			},
			Queued: 29, Running: 30, Filler: 31,
		},
	}
	of := func(n uint64) Histogram { return Histogram{n, float64(n), []uint64{n}} }
	want := Password{
		Start: 1.5, Workers: 2, Busy: 3, Memory: 4, MemoryInUse: 5, MaxWait: 0.006, Backlog: 0.007,
		Lanes: []uint64{14}, ObserverPanics: 15, Hashes: []Hashes{{"a", "c", of(16), of(17), 0.018, 0.019}},
		Top: []Principal{{"p", 20, 21}},
	}
	got := passwordOf(s)
	class := got.Classes["sign_in"]
	got.Classes = nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if want := (Class{
		Started: 22, InFlight: 23, Queued: 29, Running: 30, Filler: 31, Wait: of(24), Service: of(25),
		Outcomes: map[string]Outcome{"refused": {26, map[string]uint64{"share": 28}, of(27)}},
	}); !reflect.DeepEqual(class, want) {
		t.Errorf("got %+v, want %+v", class, want)
	}
}

// Without a pool the library's status is there.
func TestWithoutPool(t *testing.T) {
	r := Read(nil)
	text, err := json.Marshal(r)
	if err != nil || r.Password != nil || r.Version != 1 || r.Library.Mode == "" || r.Runtime.GOMAXPROCS < 1 || r.Runtime.Goroutines < 1 {
		t.Errorf("%s, %v", text, err)
	}
}

// The runtime's durations are all there, none in a bucket that ends before its own does, nor in one later than need be.
func TestRebin(t *testing.T) {
	bounds := password.HistogramBounds()
	c := rebin(&metrics.Float64Histogram{
		Counts:  []uint64{1, 2, 4, 8, 16},
		Buckets: []float64{math.Inf(-1), 0, bounds[0], bounds[7] + 1e-9, 128, math.Inf(1)},
	})
	want := map[int]uint64{0: 1 + 2, 8: 4, 84: 8, 85: 16}
	for i, n := range c.Counts {
		if n != want[i] {
			t.Errorf("bucket %d has %d, want %d", i, n, want[i])
		}
	}
	if c.Count != 31 || len(c.Counts) != password.HistogramBuckets {
		t.Errorf("%d in %d buckets", c.Count, len(c.Counts))
	}
}

// A scrape of 64 costs: time, allocations, and bytes of JSON.
func BenchmarkRead(b *testing.B) {
	p := newPool(b)
	for i := 1; i < 64; i++ {
		stored, err := password.Hash(password.Policy{Algorithm: password.PBKDF2SHA256, Iterations: i}, []byte("x"))
		if err != nil {
			b.Fatal(err)
		}
		p.Verify(context.Background(), password.Login{}, []byte("x"), stored)
	}
	b.Run("Stats", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			p.Stats()
		}
	})
	b.Run("Read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Read(p)
		}
	})
	b.Run("JSON", func(b *testing.B) {
		b.ReportAllocs()
		var text []byte
		for b.Loop() {
			text, _ = json.Marshal(Read(p))
		}
		b.ReportMetric(float64(len(text)), "bytes")
	})
}
