// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package telemetry

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"fount/password"
)

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
	text, err := json.Marshal(Read())
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
	const file = "testdata/version2.txt" // do not change it: readers rely on it. Add lines
	want, err := os.ReadFile(file)
	if got != string(want) {
		t.Errorf("%s, %v; the names are now\n%s", file, err, got)
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
	if c.Count() != 31 {
		t.Errorf("%d in all buckets", c.Count())
	}
}
