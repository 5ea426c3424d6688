// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountotel_test

import (
	"context"
	"fmt"
	"log"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"fount/password"
	fountotel "fount/telemetry/otel"
)

func Example() {
	spans := tracetest.NewInMemoryExporter() // yours: otlptracegrpc
	tracers := sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans))

	logins := fountotel.New(fountotel.Options{Name: "logins", Tracers: tracers})
	pool, err := password.NewPool(password.Options{
		Policy:  password.Policy{Algorithm: password.Bcrypt, Cost: 4},
		Observe: logins.Observe,
	})
	if err != nil {
		log.Fatal(err)
	}
	reader := metric.NewManualReader(metric.WithProducer(logins)) // yours: NewPeriodicReader
	meters := metric.NewMeterProvider(metric.WithReader(reader))
	if _, err := logins.Register(meters, pool); err != nil {
		log.Fatal(err)
	}

	ctx, request := tracers.Tracer("example").Start(context.Background(), "POST /login")
	pool.Verify(ctx, password.Login{Principal: "192.0.2.1"}, []byte("guessed"), "")
	request.End()

	for _, s := range spans.GetSpans() {
		fmt.Println(s.Name)
		for _, a := range s.Attributes {
			if a.Key == "outcome" {
				fmt.Println("   ", a.Key, a.Value.AsString())
			}
		}
	}
	var all metricdata.ResourceMetrics
	if err := reader.Collect(ctx, &all); err != nil {
		log.Fatal(err)
	}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			h, ok := m.Data.(metricdata.Histogram[float64])
			if !ok || m.Name != "fount.password.duration" {
				continue
			}
			for _, p := range h.DataPoints { // of each class
				class, _ := p.Attributes.Value("class")
				fmt.Println(m.Name, class.AsString(), p.Count, len(p.Exemplars))
			}
		}
	}
	// Output:
	// fount.password.verify
	//     outcome unknown
	// POST /login
	// fount.password.duration change_password 0 0
	// fount.password.duration sign_in 1 1
	// fount.password.duration rehash 0 0
}
