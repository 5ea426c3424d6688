// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountotel

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"fount/password"
)

// discard is an exporter that costs nothing.
type discard struct{}

func (discard) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { return nil }
func (discard) Shutdown(context.Context) error                             { return nil }

// observers are what a pool may have: nothing, metrics alone, and spans, of which so many are sampled.
func observers(b *testing.B) []struct {
	spans   string
	observe func(context.Context, password.Observation)
} {
	at := func(s sdktrace.Sampler) func(context.Context, password.Observation) {
		tracers := sdktrace.NewTracerProvider(sdktrace.WithSampler(s), sdktrace.WithBatcher(discard{}))
		b.Cleanup(func() { tracers.Shutdown(context.Background()) })
		return New(Options{Name: "logins", Tracers: tracers}).Observe
	}
	return []struct {
		spans   string
		observe func(context.Context, password.Observation)
	}{
		{"none", nil},
		{"off", New(Options{Name: "logins"}).Observe},
		{"0%", at(sdktrace.NeverSample())},
		{"1%", at(sdktrace.TraceIDRatioBased(0.01))},
		{"on", at(sdktrace.AlwaysSample())},
	}
}

// The whole way of a Verify whose hash takes a microsecond, and of one that is refused at once.
func BenchmarkVerify(b *testing.B) {
	stored, err := password.Hash(password.Policy{Algorithm: password.PBKDF2SHA256, Iterations: 1}, []byte("x"))
	if err != nil {
		b.Fatal(err)
	}
	for name, class := range map[string]password.Class{"answered": password.ClassSignIn, "refused": password.ClassRehash} {
		for _, o := range observers(b) {
			b.Run(name+"/spans="+o.spans, func(b *testing.B) {
				pool := newPool(b, func(options *password.Options) { options.NoRehash, options.Observe = true, o.observe })
				login, word := password.Login{Principal: "192.0.2.1", Class: class}, []byte("x")
				b.ReportAllocs()
				for b.Loop() {
					pool.Verify(context.Background(), login, word, stored)
				}
			})
		}
	}
}

// What Observe alone takes of it.
func BenchmarkObserve(b *testing.B) {
	var one password.Observation
	pool := newPool(b, func(o *password.Options) { o.Observe = func(_ context.Context, o password.Observation) { one = o } })
	pool.Verify(context.Background(), password.Login{}, []byte("x"), "")
	for _, o := range observers(b)[1:] {
		b.Run("spans="+o.spans, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				o.observe(context.Background(), one)
			}
		})
	}
}

// What a collection costs of a pool.
func BenchmarkCollect(b *testing.B) {
	for _, exponential := range []bool{false, true} {
		told := New(Options{Name: "logins", Exponential: exponential})
		pool := newPool(b, func(o *password.Options) { o.Observe = told.Observe })
		reader := metric.NewManualReader(metric.WithProducer(told))
		meters := metric.NewMeterProvider(metric.WithReader(reader))
		if _, err := told.Register(meters, pool); err != nil {
			b.Fatal(err)
		}
		for range 100 {
			pool.Verify(context.Background(), password.Login{}, []byte("x"), "")
		}
		b.Run(map[bool]string{false: "explicit", true: "exponential"}[exponential], func(b *testing.B) {
			var r metricdata.ResourceMetrics
			b.ReportAllocs()
			for b.Loop() {
				if err := reader.Collect(context.Background(), &r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
