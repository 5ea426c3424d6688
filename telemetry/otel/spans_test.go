// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountotel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"fount/password"
)

// recorded is a Pool whose spans are recorded.
func recorded(options ...sdktrace.TracerProviderOption) (*Pool, *sdktrace.TracerProvider, *tracetest.SpanRecorder) {
	recorder := tracetest.NewSpanRecorder()
	tracers := sdktrace.NewTracerProvider(append(options, sdktrace.WithSpanProcessor(recorder))...)
	return New(Options{Name: "logins", Tracers: tracers}), tracers, recorder
}

func attributesOf(s sdktrace.ReadOnlySpan) map[string]attribute.Value {
	all := map[string]attribute.Value{}
	for _, a := range s.Attributes() {
		all[string(a.Key)] = a.Value
	}
	return all
}

// Each call has a span below its caller's: its times, its attributes, which are those that slog gets, and its status.
func TestSpans(t *testing.T) {
	told, tracers, recorder := recorded()
	var seen []password.Observation
	pool := newPool(t, func(o *password.Options) {
		o.NoRehash = true
		o.Observe = func(ctx context.Context, o password.Observation) {
			told.Observe(ctx, o)
			seen = append(seen, o)
		}
	})
	ctx, parent := tracers.Tracer("caller").Start(t.Context(), "POST /login")
	const principal, word = "principal-192.0.2.1", "word-of-a-client"
	login := password.Login{Principal: principal}
	stored, err := pool.Hash(ctx, login, []byte(word))
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancelCause(ctx)
	cancel(errors.New(principal))
	pool.Verify(ctx, login, []byte(word), stored)
	pool.Verify(ctx, login, []byte("another"), stored)
	pool.Verify(t.Context(), login, []byte(word), "") // without a parent
	pool.Verify(ctx, password.Login{Principal: principal, Class: password.ClassRehash}, []byte(word), stored)
	pool.Verify(gone, login, []byte(word), stored)
	pool.Verify(ctx, login, []byte(word), "$2b$xx"+word)
	pool.Verify(ctx, login, []byte(word), "$2b$31"+stored[6:])
	pool.Hash(ctx, login, nil)
	pool.Hash(ctx, password.Login{Class: 9}, []byte(word))
	pool.Close(ctx)
	pool.Verify(ctx, login, []byte(word), stored)

	want := []struct {
		name, outcome, reason string
		status                codes.Code
		description           string
		worker                bool
	}{
		{"hash", "hashed", "none", codes.Unset, "", true},
		{"verify", "match", "none", codes.Unset, "", true},
		{"verify", "mismatch", "none", codes.Unset, "", true},
		{"verify", "unknown", "none", codes.Unset, "", true},
		{"verify", "refused", "off", codes.Error, "off", false},
		{"verify", "canceled", "gone", codes.Unset, "", false},
		{"verify", "invalid", "malformed", codes.Error, "malformed", false},
		{"verify", "invalid", "cost", codes.Error, "cost", false},
		{"hash", "invalid", "empty", codes.Unset, "", false},
		{"hash", "invalid", "other", codes.Error, "other", false},
		{"verify", "refused", "closed", codes.Error, "closed", false},
	}
	ended := recorder.Ended()
	if len(ended) != len(want) || len(seen) != len(want) {
		t.Fatalf("%d spans, %d observations, want %d", len(ended), len(seen), len(want))
	}
	for i, w := range want {
		s, o := ended[i], seen[i]
		has := attributesOf(s)
		if s.Name() != "fount.password."+w.name || has["outcome"].AsString() != w.outcome || has["reason"].AsString() != w.reason {
			t.Errorf("call %d: %s, %v", i, s.Name(), has)
		}
		if s.Status() != (sdktrace.Status{Code: w.status, Description: w.description}) {
			t.Errorf("call %d: status %v, want %v %q", i, s.Status(), w.status, w.description)
		}
		if !s.StartTime().Equal(o.Start) || s.EndTime().Sub(s.StartTime()) != o.Total {
			t.Errorf("call %d: from %v to %v, want from %v for %v", i, s.StartTime(), s.EndTime(), o.Start, o.Total)
		}
		if below := s.Parent().SpanID() == parent.SpanContext().SpanID(); below != (w.outcome != "unknown") || !below && s.Parent().IsValid() {
			t.Errorf("call %d: parent %v", i, s.Parent())
		}
		if events := s.Events(); w.worker != (len(events) == 1) ||
			w.worker && (events[0].Name != "worker begins" || !events[0].Time.Equal(o.Start.Add(o.Wait))) {
			t.Errorf("call %d: events %v", i, events)
		}
		logged := map[string]bool{"pool": true} // which a log line has not
		for _, a := range o.LogValue().Group() {
			logged[a.Key] = true
		}
		if got, want := slices.Sorted(maps.Keys(has)), slices.Sorted(maps.Keys(logged)); !slices.Equal(got, want) {
			t.Errorf("call %d: attributes %q, want %q", i, got, want)
		}
		if has["wait"].AsFloat64() != o.Wait.Seconds() || has["total"].AsFloat64() != o.Total.Seconds() ||
			has["pool"].AsString() != "logins" || w.worker && has["cost"].AsString() != "4" {
			t.Errorf("call %d: attributes %v of %+v", i, has, o)
		}
	}
	text, err := json.Marshal(tracetest.SpanStubsFromReadOnlySpans(ended))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{principal, word, stored[7:], "another", "192.0.2"} {
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("a span has %q", secret)
		}
	}
	if !bytes.Contains(text, []byte("mismatch")) {
		t.Error("control: the text has no outcome")
	}
}

// The times of a call that waited, and whose deadline passed, are those that the pool measured.
func TestSpanTimes(t *testing.T) {
	told, _, recorder := recorded()
	start := time.Unix(1_700_000_000, 0)
	told.Observe(t.Context(), password.Observation{
		Op: "verify", Outcome: password.OutcomeExpired, Algorithm: password.Scrypt, Start: start,
		Wait: 30 * time.Millisecond, Service: 10 * time.Millisecond, Total: 50 * time.Millisecond, Lanes: 2,
	})
	told.Observe(t.Context(), password.Observation{Op: "hash"}) // no pool's
	ended := recorder.Ended()
	if len(ended) != 2 {
		t.Fatalf("%d spans", len(ended))
	}
	s := ended[0]
	if !s.StartTime().Equal(start) || !s.EndTime().Equal(start.Add(50*time.Millisecond)) || len(s.Events()) != 1 ||
		!s.Events()[0].Time.Equal(start.Add(30*time.Millisecond)) {
		t.Errorf("from %v to %v, %v", s.StartTime(), s.EndTime(), s.Events())
	}
	if s.Status() != (sdktrace.Status{Code: codes.Error, Description: "expired"}) {
		t.Errorf("status %v", s.Status())
	}
	has := attributesOf(s)
	if has["wait"].AsFloat64() != 0.03 || has["service"].AsFloat64() != 0.01 || has["total"].AsFloat64() != 0.05 || has["lanes"].AsInt64() != 2 {
		t.Errorf("attributes %v", has)
	}
}

// The status of each outcome and reason: errors are what the operator has to mend.
func TestStatus(t *testing.T) {
	var fine []string
	for o := range password.Outcomes() {
		for r := range o.Reasons() {
			if !failed(o, r) {
				fine = append(fine, fmt.Sprint(o, " ", r))
			}
		}
	}
	want := []string{
		"match none", "mismatch none", "unknown none", "hashed none", "canceled left", "canceled gone",
		"invalid too_long", "invalid empty", "invalid nul",
	}
	if !slices.Equal(fine, want) {
		t.Errorf("no errors are %q, want %q", fine, want)
	}
}

// A sampler sees what became of a call: it can take all that are refused and none else.
func TestSamplerSeesOutcome(t *testing.T) {
	told, _, recorder := recorded(sdktrace.WithSampler(only("refused")))
	pool := newPool(t, func(o *password.Options) { o.NoRehash, o.Observe = true, told.Observe })
	for range 3 {
		pool.Verify(t.Context(), password.Login{}, []byte("x"), "")
		pool.Hash(t.Context(), password.Login{Class: password.ClassRehash}, []byte("x"))
	}
	ended := recorder.Ended()
	for _, s := range ended {
		if attributesOf(s)["outcome"].AsString() != "refused" {
			t.Errorf("sampled: %v", s.Attributes())
		}
	}
	if len(ended) != 3 {
		t.Errorf("%d spans, want 3", len(ended))
	}
}

// only samples one outcome.
type only string

func (o only) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	for _, a := range p.Attributes {
		if a.Key == "outcome" && a.Value.AsString() == string(o) {
			return sdktrace.SamplingResult{Decision: sdktrace.RecordAndSample}
		}
	}
	return sdktrace.SamplingResult{Decision: sdktrace.Drop}
}

func (only) Description() string { return "only" }

// Exemplars join histograms to spans: those that are sampled, each in the histograms that have its call.
func TestExemplars(t *testing.T) {
	for _, exponential := range []bool{false, true} {
		for _, spans := range []bool{false, true} {
			t.Run(fmt.Sprintf("exponential=%v,spans=%v", exponential, spans), func(t *testing.T) { testExemplars(t, exponential, spans) })
		}
	}
}

// sampled returns a context with a span of the caller's.
func sampled(ctx context.Context) context.Context {
	return trace.ContextWithSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1, 2}, SpanID: trace.SpanID{3, 4}, TraceFlags: trace.FlagsSampled,
	}))
}

func testExemplars(t *testing.T, exponential, spans bool) {
	recorder := tracetest.NewSpanRecorder()
	tracers := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder), sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.NeverSample())))
	o := Options{Name: "logins", Exponential: exponential}
	if spans {
		o.Tracers = tracers
	}
	told := New(o)
	calls := map[string]password.Observation{}
	pool := newPool(t, func(o *password.Options) {
		o.NoRehash = true
		o.Observe = func(ctx context.Context, o password.Observation) {
			told.Observe(ctx, o)
			calls[o.Outcome.String()] = o // the last
		}
	})
	reader := readerOf(t, told, pool)
	call := func(ctx context.Context) {
		pool.Verify(ctx, password.Login{}, []byte("x"), "")
		pool.Hash(ctx, password.Login{Class: password.ClassRehash}, []byte("x"))
		pool.Verify(ctx, password.Login{}, []byte("x"), "damaged")
	}
	call(t.Context())
	for name, found := range exemplarsOf(collect(t, reader)) {
		t.Errorf("%s has exemplars of calls without a sampled span: %v", name, found)
	}
	call(sampled(t.Context()))
	unknown, refused := calls["unknown"], calls["refused"]
	want := map[string]time.Duration{
		"fount.password.wait{class=sign_in,pool=logins}":            unknown.Wait,
		"fount.password.service{class=sign_in,pool=logins}":         unknown.Service,
		"fount.password.duration{class=sign_in,pool=logins}":        unknown.Total,
		"fount.password.refusal_duration{class=rehash,pool=logins}": refused.Total,
	}
	call(t.Context()) // leaves them
	got := exemplarsOf(collect(t, reader))
	for series, d := range want {
		found := got[series]
		if len(found) != 1 || found[0].Value != d.Seconds() || !slices.Equal(found[0].TraceID, []byte{0: 1, 1: 2, 15: 0}) {
			t.Errorf("%s has the exemplars %v; want one of %v", series, found, d)
			continue
		}
		of := unknown
		if strings.Contains(series, "refusal") {
			of = refused
		}
		if !found[0].Time.Equal(of.Start.Add(of.Total)) {
			t.Errorf("%s: at %v", series, found[0].Time)
		}
		leadsTo := "the caller's span"
		for _, s := range recorder.Ended() {
			id := s.SpanContext().SpanID()
			if slices.Equal(found[0].SpanID, id[:]) {
				leadsTo = attributesOf(s)["outcome"].AsString()
			}
		}
		if want := map[bool]string{true: of.Outcome.String(), false: "the caller's span"}[spans]; leadsTo != want {
			t.Errorf("%s leads to %s, want %s", series, leadsTo, want)
		}
		delete(got, series)
	}
	if len(got) > 0 {
		t.Errorf("other exemplars: %v", got)
	}
}

func exemplarsOf(all map[string]metricdata.Metrics) map[string][]metricdata.Exemplar[float64] {
	found := map[string][]metricdata.Exemplar[float64]{}
	put := func(name string, set attribute.Set, e []metricdata.Exemplar[float64]) {
		if len(e) > 0 {
			found[name+"{"+set.Encoded(attribute.DefaultEncoder())+"}"] = e
		}
	}
	for name, m := range all {
		switch d := m.Data.(type) {
		case metricdata.Histogram[float64]:
			for _, p := range d.DataPoints {
				put(name, p.Attributes, p.Exemplars)
			}
		case metricdata.ExponentialHistogram[float64]:
			for _, p := range d.DataPoints {
				put(name, p.Attributes, p.Exemplars)
			}
		}
	}
	return found
}

// A histogram has no exemplar of a call that it has not counted, though calls end while it is read.
func TestExemplarsAreCounted(t *testing.T) {
	for range 50 {
		told := New(Options{})
		pool := newPool(t, func(o *password.Options) { o.Workers, o.Lanes, o.Observe = 1, 1, told.Observe })
		if _, err := told.Register(noop.NewMeterProvider(), pool); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			pool.Verify(sampled(context.Background()), password.Login{}, []byte("x"), "")
		}()
		for running := true; running; {
			select {
			case <-done:
				running = false
			default:
			}
			all, err := told.Produce(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range all[0].Metrics {
				for _, p := range m.Data.(metricdata.Histogram[float64]).DataPoints {
					if p.Count == 0 && len(p.Exemplars) > 0 {
						t.Fatalf("%s of no calls has %v", m.Name, p.Exemplars)
					}
				}
			}
		}
	}
}

// Of calls that ended without an answer those have exemplars that were refused, at once or later.
func TestExemplarsOfRefusals(t *testing.T) {
	for outcome := range password.Outcomes() {
		var e exemplars
		e.keep(&password.Observation{Outcome: outcome, Start: time.Unix(1, 0)}, trace.SpanContext{})
		want := 0
		switch outcome.String() {
		case "match", "mismatch", "unknown", "hashed":
			want = 3
		case "refused", "dropped":
			want = 1
		}
		found := e.snapshot()
		if _, refused := found[keptBy{refusalDuration, "sign_in"}]; len(found) != want || refused != (want == 1) {
			t.Errorf("%v: %v; want %d histograms with exemplars", outcome, found, want)
		}
	}
}

// A bucket keeps its last exemplar, and each bucket has its own: there are never more than buckets.
func TestExemplarsAreBounded(t *testing.T) {
	var e exemplars
	for i := range 1000 {
		o := password.Observation{Outcome: password.OutcomeMatch, Start: time.Unix(1, 0), Total: time.Duration(i) * time.Millisecond}
		e.keep(&o, trace.NewSpanContext(trace.SpanContextConfig{SpanID: trace.SpanID{byte(i)}}))
	}
	var values []float64
	for _, one := range e.snapshot()[keptBy{duration, "sign_in"}] {
		values = append(values, one.Value)
	}
	if want := []float64{0.003, 0.007, 0.015, 0.031, 0.062, 0.125, 0.25, 0.5, 0.999}; !slices.Equal(values, want) {
		t.Errorf("exemplars of %v, want %v", values, want)
	}
}

// A span processor that panics hurts no call, and is counted.
func TestProcessorPanics(t *testing.T) {
	told, _, _ := recorded(sdktrace.WithSpanProcessor(processor(func() { panic("exporter") })))
	pool := newPool(t, func(o *password.Options) { o.Observe = told.Observe })
	if _, err := pool.Verify(t.Context(), password.Login{}, []byte("x"), ""); err != password.ErrMismatch {
		t.Error(err)
	}
	reader := readerOf(t, told, pool)
	all := collect(t, reader)
	if s := snapshotOf(all); s.of("fount.password.observer_panics") != 1 || s.of("fount.password.calls") != 1 {
		t.Errorf("%v panics and %v calls are counted; want 1 and 1", s.of("fount.password.observer_panics"), s.of("fount.password.calls"))
	}
	if len(exemplarsOf(all)) != 3 {
		t.Errorf("exemplars of the call: %v", exemplarsOf(all))
	}
}

// A span processor that blocks keeps its own callers and nobody else: the pool answers others, tells its figures and closes.
func TestProcessorBlocks(t *testing.T) {
	entered, release := make(chan struct{}, 100), make(chan struct{})
	told, _, _ := recorded(
		sdktrace.WithSampler(only("hashed")),
		sdktrace.WithSpanProcessor(processor(func() { entered <- struct{}{}; <-release })))
	pool := newPool(t, func(o *password.Options) { o.Workers, o.Observe = 1, told.Observe })
	reader := readerOf(t, told, pool)
	var blocked sync.WaitGroup
	const callers = 4 // more than workers
	for range callers {
		blocked.Go(func() { pool.Hash(context.Background(), password.Login{}, []byte("x")) })
	}
	for range callers {
		<-entered
	}
	if _, err := pool.Verify(t.Context(), password.Login{}, []byte("x"), ""); err != password.ErrMismatch {
		t.Errorf("a call whose span is not sampled: %v", err)
	}
	s := snapshotOf(collect(t, reader))
	if s.of("fount.password.calls", "outcome=hashed") != callers || s.of("fount.password.workers_busy") != 0 {
		t.Errorf("%v hashed, %v workers busy; want %d and 0", s.of("fount.password.calls", "outcome=hashed"), s.of("fount.password.workers_busy"), callers)
	}
	if err := pool.Close(t.Context()); err != nil {
		t.Error(err)
	}
	close(release)
	blocked.Wait()
}

// A processor does something when a span ends.
type processor func()

func (processor) OnStart(context.Context, sdktrace.ReadWriteSpan) {}
func (p processor) OnEnd(sdktrace.ReadOnlySpan)                   { p() }
func (processor) Shutdown(context.Context) error                  { return nil }
func (processor) ForceFlush(context.Context) error                { return nil }

// Overload refuses calls, and each has its span.
func TestOverloadHasSpans(t *testing.T) {
	told, _, recorder := recorded()
	pool := newPool(t, func(o *password.Options) {
		o.Workers, o.Queue, o.Lanes, o.Observe = 1, 1, 1, told.Observe
		o.Policy.Limits.PBKDF2Iterations = 2_000_000_000
	})
	const endless = "$pbkdf2-sha256$i=1000000000$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA"
	ctx, cancel := context.WithCancel(t.Context())
	var left sync.WaitGroup
	const callers = 9
	for range callers {
		left.Go(func() { pool.Verify(ctx, password.Login{}, []byte("x"), endless) })
	}
	for {
		c := pool.Stats().SignIn.Calls
		if c.Of(password.OutcomeRefused).Count == callers-2 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	left.Wait()
	counted := map[string]int{}
	for _, s := range recorder.Ended() {
		has := attributesOf(s)
		counted[fmt.Sprint(has["outcome"].AsString(), " ", has["reason"].AsString(), " ", s.Status().Code)]++
	}
	if want := map[string]int{"refused queue Error": callers - 2, "canceled left Unset": 2}; !maps.Equal(counted, want) {
		t.Errorf("spans %v, want %v", counted, want)
	}
}
