// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountprometheus

// How it looks to Prometheus.

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"google.golang.org/protobuf/proto"

	"fount/password"
	"fount/telemetry"
	"fount/telemetry/internal/metrics"
	"fount/uniqueness"
)

func TestLint(t *testing.T) {
	problems, err := testutil.GatherAndLint(registered(t, newPool(t, nil)))
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	if err != nil {
		t.Error(err)
	}
	bad := prometheus.NewRegistry()
	bad.MustRegister(prometheus.NewCounter(prometheus.CounterOpts{Name: "fount_wait_milliseconds"}))
	if problems, err := testutil.GatherAndLint(bad); len(problems) == 0 || err != nil {
		t.Errorf("promlint finds nothing in a name without a base unit: %v", err)
	}
}

// Both forms are read back as they were.
func TestExposition(t *testing.T) {
	pool := newPool(t, nil)
	for range 9 {
		pool.Verify(t.Context(), password.Login{}, []byte("x"), "")
	}
	reg := prometheus.NewRegistry()
	read := func() (*password.Stats, time.Time) { s := pool.Stats(); return &s, s.Start }
	frozen, since := read() // as two scrapes see two moments
	reg.MustRegister(newCollector(metrics.Pool, func() (*password.Stats, time.Time) { return frozen, since }, prometheus.Labels{"pool": "x\"\n"}))
	r := telemetry.Read()
	reg.MustRegister(newCollector(metrics.Process, func() (*telemetry.Report, time.Time) { return &r, time.Time{} }, nil))
	want := gather(t, reg)

	for name, accept := range map[string]string{
		"text":     "text/plain;version=0.0.4",
		"protobuf": "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited",
	} {
		t.Run(name, func(t *testing.T) {
			request, page := httptest.NewRequest("GET", "/metrics", nil), httptest.NewRecorder()
			request.Header.Set("Accept", accept)
			promhttp.HandlerFor(reg, promhttp.HandlerOpts{}).ServeHTTP(page, request)
			format := expfmt.ResponseFormat(page.Header())
			if (format.FormatType() == expfmt.TypeProtoDelim) != (name == "protobuf") {
				t.Fatalf("got %s", format)
			}
			got := decode(t, page.Body, format)
			if len(got) != len(want) {
				t.Errorf("%d families, want %d", len(got), len(want))
			}
			for name, w := range want {
				g := got[name]
				if format.FormatType() == expfmt.TypeProtoDelim {
					if !proto.Equal(g, w) {
						t.Errorf("%s: got %v, want %v", name, g, w)
					}
					continue
				}
				if g.GetType() != w.GetType() || g.GetHelp() != w.GetHelp() {
					t.Errorf("%s is a %s %q, want a %s %q", name, g.GetType(), g.GetHelp(), w.GetType(), w.GetHelp())
				}
			}
			g, w := scrapeOf(got), scrapeOf(want)
			for series, v := range w {
				if got, ok := g[series]; !ok || got != v {
					t.Errorf("%s is %v, %v; want %v", series, got, ok, v)
				}
			}
			if len(g) != len(w) {
				t.Errorf("%d series, want %d", len(g), len(w))
			}
		})
	}
}

func decode(t *testing.T, r io.Reader, format expfmt.Format) map[string]*dto.MetricFamily {
	t.Helper()
	if format.FormatType() != expfmt.TypeProtoDelim {
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families { // the text has the bucket without an end
			for _, m := range f.Metric {
				if m.Histogram != nil {
					m.Histogram.Bucket = m.Histogram.Bucket[:len(m.Histogram.Bucket)-1]
				}
			}
		}
		return families
	}
	families := make(map[string]*dto.MetricFamily)
	for decoder := expfmt.NewDecoder(r, format); ; {
		f := new(dto.MetricFamily)
		if err := decoder.Decode(f); errors.Is(err, io.EOF) {
			return families
		} else if err != nil {
			t.Fatal(err)
		}
		families[f.GetName()] = f
	}
}

// nativeCounts are the buckets of a native histogram by index, empty ones left out.
func nativeCounts(h *dto.Histogram) map[int]int64 {
	counts := map[int]int64{}
	at, n, i := 0, int64(0), 0
	for _, s := range h.PositiveSpan {
		at += int(s.GetOffset())
		for range s.GetLength() {
			n += h.PositiveDelta[i]
			if n != 0 {
				counts[at] = n
			}
			at, i = at+1, i+1
		}
	}
	return counts
}

// Random durations are in the buckets in which client_golang's own histogram puts them, native and classic.
func TestBuckets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	bounds := password.HistogramBounds()
	for round := range 200 {
		var ends []float64
		for e := metrics.LongCalls; e < metrics.LongCalls+metrics.Octaves; e++ {
			ends = append(ends, math.Ldexp(1, e))
		}
		reference := prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "reference", Help: "Of client_golang.", Buckets: ends,
			NativeHistogramBucketFactor: 1.19, NativeHistogramZeroThreshold: math.Ldexp(1, -14),
		})
		var h password.Histogram
		for range random.IntN(50) + round/199 {
			seconds := math.Exp2(-16 + 23*random.Float64()) // 15 µs to 128 s
			i, _ := slices.BinarySearch(bounds, seconds)
			h.Counts[i]++
			reference.Observe(seconds)
		}
		var want, got dto.Metric
		if err := reference.Write(&want); err != nil {
			t.Fatal(err)
		}
		if err := (&durations{first: metrics.LongCalls, h: h}).Write(&got); err != nil {
			t.Fatal(err)
		}
		g, w := got.Histogram, want.Histogram
		if g.GetSchema() != w.GetSchema() || g.GetZeroThreshold() != w.GetZeroThreshold() || g.GetZeroCount() != w.GetZeroCount() {
			t.Fatalf("schema %d, zero %v: %d; want %d, %v: %d", g.GetSchema(), g.GetZeroThreshold(), g.GetZeroCount(),
				w.GetSchema(), w.GetZeroThreshold(), w.GetZeroCount())
		}
		gn, wn := nativeCounts(g), nativeCounts(w)
		if !equalCounts(gn, wn) {
			t.Fatalf("native %v, want %v", gn, wn)
		}
		for i, b := range w.Bucket {
			if o := g.Bucket[i]; o.GetUpperBound() != b.GetUpperBound() || o.GetCumulativeCount() != b.GetCumulativeCount() {
				t.Fatalf("classic bucket %d: %v, want %v", i, o, b)
			}
		}
	}
}

func equalCounts(a, b map[int]int64) bool {
	for i, n := range a {
		if b[i] != n {
			return false
		}
	}
	return len(a) == len(b)
}

// Random values in the states that this machine may not have.
func TestProcess(t *testing.T) {
	r := telemetry.Read()
	r.Library.Mode, r.Library.WindowBytes, r.Library.Epoch = "window", 4096, 3
	reg := prometheus.NewPedanticRegistry()
	reg.MustRegister(newCollector(metrics.Process, func() (*telemetry.Report, time.Time) { return &r, time.Time{} }, nil))
	s := scrapeOf(gather(t, reg))
	for series, want := range map[string]float64{
		`fount_random_mode{mode="window"}`:  1,
		`fount_random_mode{mode="vmclock"}`: 0,
		`fount_random_window_bytes{}`:       4096,
		`fount_random_reseed_calls_total{}`: 2,
	} {
		if got, ok := s[series]; !ok || got != want {
			t.Errorf("%s is %v, %v; want %v", series, got, ok, want)
		}
	}
	if s.of("fount_random_mode") != 1 {
		t.Errorf("%v modes in force", s.of("fount_random_mode"))
	}
	// A goroutine was ready for 0.1 s before it ran, others not for a bucket.
	r.Runtime.Lateness = password.Histogram{}
	i, _ := slices.BinarySearch(password.HistogramBounds(), 0.1)
	r.Runtime.Lateness.Counts[0], r.Runtime.Lateness.Counts[i] = 9, 1
	s = scrapeOf(gather(t, reg))
	for series, want := range map[string]float64{
		`_count{}`: 10, `_bucket{le="6.103515625e-05"}`: 9, `_bucket{le="0.0625"}`: 9, `_bucket{le="0.125"}`: 10, `_bucket{le="+Inf"}`: 10,
	} {
		if got := s["fount_scheduler_lateness_seconds"+series]; got != want {
			t.Errorf("lateness%s is %v, want %v", series, got, want)
		}
	}
	if sum := s["fount_scheduler_lateness_seconds_sum{}"]; sum < 0.1/1.19 || sum > 0.1 {
		t.Errorf("the sum is %v s", sum)
	}
	for _, mode := range uniqueness.Modes() {
		r.Library.Mode = mode
		if s := scrapeOf(gather(t, reg)); s[fmt.Sprintf("fount_random_mode{mode=%q}", mode)] != 1 || s.of("fount_random_mode") != 1 {
			t.Errorf("mode %s is not told", mode)
		}
	}
}
