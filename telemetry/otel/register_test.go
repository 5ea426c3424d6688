// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountotel

import (
	"errors"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	api "go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"fount/password"
	"fount/telemetry/internal/metrics"
)

// Several pools are told of by one reader, and leave it.
func TestRegister(t *testing.T) {
	a, b := New(Options{Name: "a", Exponential: true}), New(Options{Name: "b"})
	reader := metric.NewManualReader(metric.WithProducer(a), metric.WithProducer(b))
	meters := metric.NewMeterProvider(metric.WithReader(reader))
	pool, other := newPool(t, nil), newPool(t, nil)
	if got, err := a.Produce(t.Context()); got != nil || err != nil {
		t.Errorf("before Register: %v, %v", got, err)
	}
	if _, err := a.Register(meters, nil); err == nil {
		t.Error("a nil pool is registered")
	}
	first, err := a.Register(meters, pool)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Register(meters, other); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Register(meters, other); err == nil || !strings.Contains(err.Error(), "registered already") {
		t.Errorf("again: %v", err)
	}
	pool.Hash(t.Context(), password.Login{}, []byte("x"))
	read := func() snapshot { // two Producers: two metrics of one name
		var r metricdata.ResourceMetrics
		if err := reader.Collect(t.Context(), &r); err != nil {
			t.Fatal(err)
		}
		all := snapshot{}
		for _, s := range r.ScopeMetrics {
			for _, m := range s.Metrics {
				for series, v := range snapshotOf(map[string]metricdata.Metrics{m.Name: m}) {
					all[series] = v
				}
			}
		}
		return all
	}
	s := read()
	for _, name := range []string{"fount.password.calls", "fount.password.duration"} {
		if s.of(name, "pool=a") != 1 || s.of(name, "pool=b") != 0 {
			t.Errorf("%s: %v of a, %v of b", name, s.of(name, "pool=a"), s.of(name, "pool=b"))
		}
	}
	if err := first.Unregister(); err != nil {
		t.Fatal(err)
	}
	s = read()
	for series := range s {
		if strings.Contains(series, "pool=a") {
			t.Fatalf("%s is there after Unregister", series)
		}
	}
	if len(s) == 0 {
		t.Error("b is gone, too")
	}
	if _, err := a.Register(meters, other); err != nil {
		t.Errorf("a again: %v", err)
	}
}

// An Unregister called twice ends nothing that was registered since, and a pool has no exemplars of the one before it.
func TestUnregisterTwice(t *testing.T) {
	told := New(Options{Name: "logins"})
	reader := metric.NewManualReader(metric.WithProducer(told))
	meters := metric.NewMeterProvider(metric.WithReader(reader))
	old, next := newPool(t, func(o *password.Options) { o.Observe = told.Observe }), newPool(t, nil)
	first, err := told.Register(meters, old)
	if err != nil {
		t.Fatal(err)
	}
	old.Verify(sampled(t.Context()), password.Login{}, []byte("x"), "")
	if len(exemplarsOf(collect(t, reader))) == 0 {
		t.Error("control: no exemplars of the first pool")
	}
	if err := first.Unregister(); err != nil {
		t.Fatal(err)
	}
	if _, err := told.Register(meters, next); err != nil {
		t.Fatal(err)
	}
	if found := exemplarsOf(collect(t, reader)); len(found) > 0 {
		t.Errorf("the next pool has exemplars of the first: %v", found)
	}
	first.Unregister()
	if _, ok := collect(t, reader)["fount.password.duration"]; !ok {
		t.Error("a second Unregister of the first pool ends the next one's histograms")
	}
	if _, err := told.Register(meters, next); err == nil {
		t.Error("the next pool is registered twice")
	}
}

// Where meters fail, nothing is registered, and it can be tried again.
func TestRegisterFails(t *testing.T) {
	told, pool := New(Options{}), newPool(t, nil)
	if _, err := told.Register(failing{}, pool); err == nil || !strings.Contains(err.Error(), "no more instruments") {
		t.Errorf("Register: %v; want the meters' error", err)
	}
	if got, err := told.Produce(t.Context()); got != nil || err != nil {
		t.Errorf("Produce: %v, %v; want nothing", got, err)
	}
	if _, err := told.Register(metric.NewMeterProvider(), pool); err != nil {
		t.Errorf("again: %v", err)
	}
}

// A failing provider's meters make no instruments.
type failing struct{ noop.MeterProvider }

func (failing) Meter(string, ...api.MeterOption) api.Meter { return failingMeter{} }

type failingMeter struct{ noop.Meter }

func (failingMeter) Float64ObservableCounter(string, ...api.Float64ObservableCounterOption) (api.Float64ObservableCounter, error) {
	return nil, errors.New("no more instruments")
}

// All that is told is UTF-8, which OTLP demands of strings, whatever the pool's name.
func TestNameIsUTF8(t *testing.T) {
	for name, want := range map[string]string{"a\xffb": "a\uFFFDb", "größe": "größe"} {
		points := collect(t, readerOf(t, New(Options{Name: name}), newPool(t, nil)))["fount.password.workers"].Data.(metricdata.Gauge[float64]).DataPoints
		if got, _ := points[0].Attributes.Value("pool"); got.AsString() != want { // the set's encoder would hide it
			t.Errorf("the pool %q is %q, want %q", name, got.AsString(), want)
		}
	}
}

// Prometheus's rules for OpenTelemetry's names make the Prometheus module's of ours.
func TestNames(t *testing.T) {
	told := New(Options{Name: "logins", Exponential: true})
	all := collect(t, readerOf(t, told, newPool(t, nil)))
	kinds := map[string]metrics.Kind{}
	for _, f := range metrics.Pool {
		kinds[f.Name] = f.Kind
	}
	for _, f := range metrics.Process {
		kinds[f.Name] = f.Kind
	}
	valid := regexp.MustCompile(`^fount\.(password|random|scheduler)\.[a-z]+(_[a-z]+)*$`)
	for name, m := range all {
		prometheus, kind := strings.ReplaceAll(name, ".", "_"), metrics.Histogram
		prometheus += map[string]string{"s": "_seconds", "By": "_bytes", "": ""}[m.Unit]
		switch d := m.Data.(type) {
		case metricdata.Sum[float64]:
			prometheus, kind = prometheus+"_total", metrics.Counter
			if !d.IsMonotonic || d.Temporality != metricdata.CumulativeTemporality {
				t.Errorf("%s is no counter", name)
			}
		case metricdata.Gauge[float64]:
			kind = metrics.Gauge
		}
		if want, ok := kinds[prometheus]; !ok || want != kind || !valid.MatchString(name) || m.Description == "" {
			t.Errorf("%s in %q becomes %s; kind %v, want %v; %q", name, m.Unit, prometheus, kind, want, m.Description)
		}
		delete(kinds, prometheus)
	}
	delete(kinds, "fount_password_cpu_steal_seconds_total") // not known everywhere
	delete(kinds, "fount_password_cpu_pressure_seconds_total")
	for name := range kinds {
		t.Errorf("no metric becomes %s", name)
	}
	for _, bad := range []string{"fount.password.Calls", "fount.calls", "fount.password.calls.submitted"} {
		if valid.MatchString(bad) {
			t.Errorf("control: %s is a name", bad)
		}
	}
}

// Who imports this gets the API, and of the SDK nothing but the types of what a Producer returns.
func TestImports(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var sdk []string
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range parsed.Imports {
			if path, _ := strconv.Unquote(i.Path.Value); strings.Contains(path, "/sdk") && !slices.Contains(sdk, path) {
				sdk = append(sdk, path)
			}
		}
	}
	slices.Sort(sdk)
	if want := []string{"go.opentelemetry.io/otel/sdk/instrumentation", "go.opentelemetry.io/otel/sdk/metric/metricdata"}; !slices.Equal(sdk, want) {
		t.Errorf("of the SDK are imported %q; want %q", sdk, want)
	}
}
