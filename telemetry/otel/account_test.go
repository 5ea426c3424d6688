// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountotel

// What the metrics alone say of all calls: nothing is lost, nothing appears late, and clients add no series.

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"fount/password"
	"fount/telemetry/internal/metrics"
)

const mostSeries = 500

var (
	_ metric.Producer = (*Pool)(nil)
	_ metric.Producer = Process{}
)

func newPool(t testing.TB, change func(*password.Options)) *password.Pool {
	t.Helper()
	o := password.Options{
		Policy: password.Policy{
			Algorithm: password.Bcrypt, Cost: 4,
			Limits: password.Limits{
				BcryptCost: 5, Argon2Memory: 64, Argon2Iterations: 3, ScryptMemory: 64, PBKDF2Iterations: 1000,
			},
		},
		Logger:  slog.New(slog.DiscardHandler),
		MaxWait: 1000 * time.Hour, // no test hangs on how fast the machine is
	}
	if change != nil {
		change(&o)
	}
	p, err := password.NewPool(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(context.Background()) })
	return p
}

// readerOf is a reader of all of ours.
func readerOf(t testing.TB, told *Pool, pool *password.Pool) *metric.ManualReader {
	t.Helper()
	process := Process{Exponential: told.exponential}
	reader := metric.NewManualReader(metric.WithProducer(told), metric.WithProducer(process))
	meters := metric.NewMeterProvider(metric.WithReader(reader))
	t.Cleanup(func() { meters.Shutdown(context.Background()) })
	if _, err := told.Register(meters, pool); err != nil {
		t.Fatal(err)
	}
	if _, err := process.Register(meters); err != nil {
		t.Fatal(err)
	}
	return reader
}

func collect(t testing.TB, reader *metric.ManualReader) map[string]metricdata.Metrics {
	t.Helper()
	var r metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &r); err != nil {
		t.Fatal(err)
	}
	all := make(map[string]metricdata.Metrics)
	for _, s := range r.ScopeMetrics {
		for _, m := range s.Metrics {
			if _, twice := all[m.Name]; twice || s.Scope.Name != scope {
				t.Fatalf("%s of %s; twice: %v", m.Name, s.Scope.Name, twice)
			}
			all[m.Name] = m
		}
	}
	return all
}

// A snapshot has the value of each series; of a histogram, its count.
type snapshot map[string]float64

func snapshotOf(all map[string]metricdata.Metrics) snapshot {
	s := snapshot{}
	for name, m := range all {
		put := func(set attribute.Set, v float64) { s[name+"{"+set.Encoded(attribute.DefaultEncoder())+"}"] = v }
		switch d := m.Data.(type) {
		case metricdata.Sum[float64]:
			for _, p := range d.DataPoints {
				put(p.Attributes, p.Value)
			}
		case metricdata.Gauge[float64]:
			for _, p := range d.DataPoints {
				put(p.Attributes, p.Value)
			}
		case metricdata.Histogram[float64]:
			for _, p := range d.DataPoints {
				put(p.Attributes, float64(p.Count))
			}
		case metricdata.ExponentialHistogram[float64]:
			for _, p := range d.DataPoints {
				put(p.Attributes, float64(p.Count))
			}
		}
	}
	return s
}

// of returns the sum of the series of a metric with all the attributes, each written a=b.
func (s snapshot) of(name string, attributes ...string) (sum float64) {
	for series, v := range s {
		metric, has, _ := strings.Cut(strings.TrimSuffix(series, "}"), "{")
		list := strings.Split(has, ",")
		if metric == name && !slices.ContainsFunc(attributes, func(a string) bool { return !slices.Contains(list, a) }) {
			sum += v
		}
	}
	return sum
}

var classes = []string{"class=sign_in", "class=change_password", "class=rehash"}

// problems are the calls that s does not account for. The counters are of one moment, histograms of a later one: they agree if
// no call runs.
func (s snapshot) problems(atRest bool) (found []string) {
	for _, class := range classes {
		submitted := s.of("fount.password.calls_submitted", class)
		ended, inFlight := s.of("fount.password.calls", class), s.of("fount.password.calls_in_flight", class)
		if submitted != ended+inFlight {
			found = append(found, fmt.Sprintf("%s: %v calls submitted, %v ended, %v in flight", class, submitted, ended, inFlight))
		}
		var answered, refused float64
		for _, o := range []string{"match", "mismatch", "unknown", "hashed"} {
			answered += s.of("fount.password.calls", class, "outcome="+o)
		}
		for _, o := range []string{"refused", "dropped"} {
			refused += s.of("fount.password.calls", class, "outcome="+o)
		}
		if got := s.of("fount.password.calls_answered", class); got != answered {
			found = append(found, fmt.Sprintf("%s: %v answered, want %v", class, got, answered))
		}
		for name, least := range map[string]float64{
			"fount.password.wait":             answered,
			"fount.password.service":          answered,
			"fount.password.duration":         answered,
			"fount.password.refusal_duration": refused,
		} {
			if got := s.of(name, class); got < least || atRest && got != least {
				found = append(found, fmt.Sprintf("%s{%s} is %v, want %v", name, class, got, least))
			}
		}
	}
	return found
}

// changes are what must not have come between first and s, a later snapshot.
func (s snapshot) changes(first snapshot) (found []string) {
	for series := range s {
		if _, ok := first[series]; !ok {
			found = append(found, series+" was not there from the first collection")
		}
	}
	for series := range first {
		if _, ok := s[series]; !ok {
			found = append(found, series+" is gone")
		}
	}
	if len(s) > mostSeries {
		found = append(found, fmt.Sprintf("%d series; want at most %d", len(s), mostSeries))
	}
	return found
}

// Random programs of calls, collected while they run: each collection accounts for all calls, and the last for each that the
// observer saw.
func TestAccount(t *testing.T) {
	told := New(Options{Name: "logins", Tracers: sdktrace.NewTracerProvider()})
	var mu sync.Mutex
	seen := map[string]float64{}
	pool := newPool(t, func(o *password.Options) {
		o.Workers, o.Queue = 1, 6
		o.Observe = func(ctx context.Context, o password.Observation) {
			told.Observe(ctx, o)
			mu.Lock()
			defer mu.Unlock()
			seen[fmt.Sprintf("class=%s,outcome=%s,pool=logins,reason=%s", o.Class, o.Outcome, o.Reason)]++
		}
	})
	reader := readerOf(t, told, pool)
	before := snapshotOf(collect(t, reader))
	right, err := pool.Hash(t.Context(), password.Login{}, []byte("right"))
	if err != nil {
		t.Fatal(err)
	}
	stored := []string{right, right, right, "", "$2b$31$" + right[7:], "$2b$xx", "!"}
	var all sync.WaitGroup
	const clients, calls = 16, 30
	for client := range clients {
		all.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(client)))
			for range calls {
				ctx, cancel := context.WithCancel(t.Context())
				switch random.IntN(6) {
				case 0:
					cancel()
				case 1:
					ctx, cancel = context.WithTimeout(ctx, time.Duration(random.IntN(9))*time.Millisecond)
				}
				login := password.Login{Principal: fmt.Sprint(random.IntN(9)), Class: password.Class(random.IntN(3))}
				word := []byte([]string{"right", "wrong", ""}[random.IntN(3)])
				if random.IntN(4) > 0 {
					pool.Verify(ctx, login, word, stored[random.IntN(len(stored))])
				} else {
					pool.Hash(ctx, login, word)
				}
				cancel()
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		now := snapshotOf(collect(t, reader))
		if found := append(now.problems(!running), now.changes(before)...); len(found) > 0 {
			t.Fatal(strings.Join(found, "\n"))
		}
		before = now
	}
	if got := before.of("fount.password.calls_submitted"); got != clients*calls+1 {
		t.Errorf("%v calls submitted, want %d", got, clients*calls+1)
	}
	counted := map[string]float64{}
	for series, v := range before {
		if set, ok := strings.CutPrefix(series, "fount.password.calls{"); ok && v > 0 {
			counted[strings.TrimSuffix(set, "}")] = v
		}
	}
	if !maps.Equal(counted, seen) {
		t.Errorf("by the metrics %v, by the observer %v", counted, seen)
	}
	if len(counted) < 12 {
		t.Errorf("only %d kinds of endings", len(counted))
	}
}

// The test above finds a collector that loses an outcome, one whose series come with the first event, and one with an attribute
// by principal.
func TestBrokenTwins(t *testing.T) {
	pool := newPool(t, nil)
	twins := map[string]func(s *password.Stats, o *metrics.Output, put func(*password.Stats, *metrics.Output)){
		"": func(s *password.Stats, o *metrics.Output, put func(*password.Stats, *metrics.Output)) { put(s, o) },
		"mislays": func(s *password.Stats, o *metrics.Output, put func(*password.Stats, *metrics.Output)) {
			put(s, &metrics.Output{Number: func(v float64, of metrics.Values) {
				if of[1] != "invalid" {
					o.Number(v, of)
				}
			}})
		},
		"late": func(s *password.Stats, o *metrics.Output, put func(*password.Stats, *metrics.Output)) {
			put(s, &metrics.Output{Number: func(v float64, of metrics.Values) {
				if v > 0 {
					o.Number(v, of)
				}
			}})
		},
		"by principal": func(s *password.Stats, o *metrics.Output, put func(*password.Stats, *metrics.Output)) {
			put(s, o)
			for _, p := range s.Top {
				o.Number(0, metrics.Values{p.ID})
			}
		},
	}
	readers, first := map[string]*metric.ManualReader{}, map[string]snapshot{}
	for name, twin := range twins {
		families := slices.Clone(metrics.Pool)
		i := slices.IndexFunc(families, func(f metrics.Family[*password.Stats]) bool { return f.Name == "fount_password_calls_total" })
		put := families[i].Of
		families[i].Of = func(s *password.Stats, o *metrics.Output) { twin(s, o, put) }
		reader := metric.NewManualReader(metric.WithProducer(produced{pool}))
		if _, err := observe(metric.NewMeterProvider(metric.WithReader(reader)), families, func() *password.Stats { return statsOf(pool) }, nil); err != nil {
			t.Fatal(err)
		}
		readers[name], first[name] = reader, snapshotOf(collect(t, reader))
	}
	for i := range 30 {
		pool.Verify(t.Context(), password.Login{Principal: fmt.Sprint(i)}, []byte("x"), "")
		pool.Verify(t.Context(), password.Login{Principal: fmt.Sprint(i)}, []byte("x"), "damaged")
	}
	for name, reader := range readers {
		now := snapshotOf(collect(t, reader))
		if found := append(now.problems(true), now.changes(first[name])...); (len(found) > 0) != (name != "") {
			t.Errorf("twin %q: found %q", name, found)
		}
	}
}

type produced struct{ *password.Pool }

func (p produced) Produce(context.Context) ([]metricdata.ScopeMetrics, error) {
	return produce(metrics.Pool, statsOf(p.Pool), histograms{}), nil
}

// Whatever clients send, the series are those of the first collection, which are fewer than 500, also if each bucket of a
// histogram becomes one.
func FuzzSeries(f *testing.F) {
	told := New(Options{Name: "logins"})
	pool := newPool(f, func(o *password.Options) { o.Observe = told.Observe })
	reader := readerOf(f, told, pool)
	all := collect(f, reader)
	first := snapshotOf(all)
	buckets := 0
	for _, m := range all {
		if h, ok := m.Data.(metricdata.Histogram[float64]); ok {
			for _, p := range h.DataPoints {
				buckets += len(p.BucketCounts) + 1 // with the sum; the count is counted
			}
		}
	}
	f.Logf("%d series, and %d of buckets", len(first), buckets)
	if len(first)+buckets > mostSeries {
		f.Errorf("%d series, and %d of buckets; want at most %d", len(first), buckets, mostSeries)
	}
	for i, p := range []password.Policy{
		{Algorithm: password.Bcrypt, Cost: 4},
		{Algorithm: password.Argon2id, Memory: 8, Iterations: 1, Parallelism: 1},
		{Algorithm: password.Scrypt, Cost: 2, BlockSize: 1, Parallelism: 1},
		{Algorithm: password.PBKDF2SHA256, Iterations: 1},
		{Algorithm: password.PBKDF2SHA512, Iterations: 77},
	} {
		encoded, err := password.Hash(p, []byte("right"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(fmt.Sprint("192.0.2.", i), int8(i), "right", encoded, uint16(i))
	}
	f.Add("\xff\n\"", int8(-1), "", "\x00", uint16(999))
	f.Fuzz(func(t *testing.T, principal string, class int8, word, encoded string, iterations uint16) {
		login := password.Login{Principal: principal, Class: password.Class(class)}
		pool.Verify(t.Context(), login, []byte(word), encoded)
		other, err := password.Hash(password.Policy{Algorithm: password.PBKDF2SHA256, Iterations: 1 + int(iterations)%1000}, []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		pool.Verify(t.Context(), login, []byte(word), other)
		now := snapshotOf(collect(t, reader))
		if found := append(now.problems(true), now.changes(first)...); len(found) > 0 {
			t.Error(strings.Join(found, "\n"))
		}
	})
}

// Histograms are cumulative, since the pool was made.
func TestHistogramsAreCumulative(t *testing.T) {
	pool := newPool(t, nil)
	start := pool.Stats().Start
	for _, exponential := range []bool{false, true} {
		told := New(Options{Exponential: exponential})
		points := 0
		all := collect(t, readerOf(t, told, pool))
		for _, f := range metrics.Pool {
			if f.Kind != metrics.Histogram {
				continue
			}
			name, _ := nameOf(f.Name)
			check := func(at metricdata.Temporality, from, to time.Time) {
				points++
				if at != metricdata.CumulativeTemporality || !from.Equal(start) || to.Before(from) {
					t.Errorf("%s is of %v to %v, %v; want from %v, cumulative", name, from, to, at, start)
				}
			}
			switch d := all[name].Data.(type) {
			case metricdata.Histogram[float64]:
				for _, p := range d.DataPoints {
					check(d.Temporality, p.StartTime, p.Time)
				}
			case metricdata.ExponentialHistogram[float64]:
				for _, p := range d.DataPoints {
					check(d.Temporality, p.StartTime, p.Time)
				}
			}
		}
		if points != 4*3+8 { // of 4 classes each, and of 8 algorithms
			t.Errorf("%d histograms", points)
		}
	}
}

// Both forms of a histogram have the pool's counts, each where OpenTelemetry's rules put its durations.
func TestBuckets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	bounds := password.HistogramBounds()
	for range 100 {
		d := password.Histogram{Counts: make([]uint64, password.HistogramBuckets)}
		explicit := make([]uint64, metrics.Octaves+1)
		exponential := map[int]uint64{}
		var zero uint64
		for range random.IntN(50) {
			seconds := math.Exp2(-16 + 23*random.Float64()) // 15 µs to 128 s
			i, _ := slices.BinarySearch(bounds, seconds)
			d.Counts[i]++
			d.Count++
			// The specification: bucket i of explicit ones is (bound i-1, bound i]; of exponential ones (base^i, base^(i+1)].
			n := 0
			for n < metrics.Octaves && seconds > math.Exp2(float64(metrics.LongCalls+n)) {
				n++
			}
			explicit[n]++
			if seconds <= math.Exp2(-14) {
				zero++
			} else {
				exponential[int(math.Ceil(math.Log2(seconds)*4))-1]++
			}
		}
		p := histograms{}.explicitPoint(metrics.LongCalls, d, attribute.Set{}, nil)
		if !slices.Equal(p.BucketCounts, explicit) || len(p.Bounds) != metrics.Octaves || p.Bounds[0] != 1.0/256 || p.Bounds[12] != 16 || p.Count != d.Count {
			t.Fatalf("%v by %v, want %v", p.BucketCounts, p.Bounds, explicit)
		}
		e := histograms{}.exponentialPoint(d, attribute.Set{}, nil)
		got := map[int]uint64{}
		for i, n := range e.PositiveBucket.Counts {
			if n > 0 {
				got[i+int(e.PositiveBucket.Offset)] = n
			}
		}
		if e.Scale != 2 || e.ZeroThreshold != math.Exp2(-14) || e.ZeroCount != zero || !maps.Equal(got, exponential) {
			t.Fatalf("scale %d, zero %d: %v; want %d: %v", e.Scale, e.ZeroCount, got, zero, exponential)
		}
	}
}
