// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountotel

// A span for each call, made when the call ends.

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"fount/password"
)

// Observe is for password.Options.Observe. It makes the call's span, a child of the one in ctx, and keeps it as an exemplar if
// it is sampled. The span is named fount.password.verify or fount.password.hash and has the attributes that
// password.Observation logs; its event "worker begins" says when the wait was over. A sampler sees class, outcome and reason.
//
// The span's status is an error where the operator has something to mend: calls that were refused, dropped or late, stored
// hashes that can't be used, and Close. It is not where only the client has: a wrong password is an answer.
//
// What the SDK does when a span ends runs on the caller's goroutine, without any lock of the pool: a span processor that blocks
// delays its own callers, and one that panics is counted in password.Stats.ObserverPanics.
func (p *Pool) Observe(ctx context.Context, o password.Observation) {
	if p.spans != nil {
		var span trace.Span
		ctx, span = p.spans.start(ctx, &o)
		defer span.End(trace.WithTimestamp(o.Start.Add(o.Total)))
	}
	if span := trace.SpanContextFromContext(ctx); span.IsSampled() {
		p.exemplars.keep(&o, span)
	}
}

type spans struct {
	tracer trace.Tracer
	known  map[ending]trace.SpanStartEventOption // what samplers see, of all calls that can be
}

type ending struct {
	class   password.Class
	outcome password.Outcome
	reason  password.Reason
}

func newSpans(tracer trace.Tracer, constant []attribute.KeyValue) *spans {
	s := &spans{tracer: tracer, known: make(map[ending]trace.SpanStartEventOption)}
	for _, class := range []password.Class{password.ClassSignIn, password.ClassChangePassword, password.ClassRehash} {
		for outcome := range password.Outcomes() {
			for reason := range outcome.Reasons() {
				s.known[ending{class, outcome, reason}] = trace.WithAttributes(append([]attribute.KeyValue{
					attribute.String("class", class.String()),
					attribute.String("outcome", outcome.String()),
					attribute.String("reason", reason.String()),
				}, constant...)...)
			}
		}
	}
	return s
}

// start makes the span of a call that has ended.
func (s *spans) start(ctx context.Context, o *password.Observation) (context.Context, trace.Span) {
	name := "fount.password.verify"
	if o.Op == "hash" {
		name = "fount.password.hash"
	}
	known, ok := s.known[ending{o.Class, o.Outcome, o.Reason}]
	if !ok { // no pool's observation
		known = trace.WithAttributes()
	}
	ctx, span := s.tracer.Start(ctx, name, trace.WithTimestamp(o.Start), known)
	if !span.IsRecording() {
		return ctx, span
	}
	more := make([]attribute.KeyValue, 0, 7)
	more = append(more,
		attribute.String("op", o.Op), attribute.Float64("wait", o.Wait.Seconds()), attribute.Float64("total", o.Total.Seconds()))
	if o.Algorithm != 0 {
		more = append(more, attribute.String("algorithm", o.Algorithm.String()), attribute.String("cost", o.Cost()))
	}
	if o.Lanes > 0 {
		more = append(more, attribute.Float64("service", o.Service.Seconds()), attribute.Int("lanes", o.Lanes))
		span.AddEvent("worker begins", trace.WithTimestamp(o.Start.Add(o.Wait)))
	}
	span.SetAttributes(more...)
	if failed(o.Outcome, o.Reason) {
		what := o.Reason.String()
		if o.Reason == password.NoReason {
			what = o.Outcome.String()
		}
		span.SetStatus(codes.Error, what)
	}
	return ctx, span
}

// failed reports whether the operator has something to mend.
func failed(o password.Outcome, r password.Reason) bool {
	switch o {
	case password.OutcomeRefused, password.OutcomeDropped, password.OutcomeExpired:
		return true
	case password.OutcomeCanceled:
		return r == password.ReasonClosed
	case password.OutcomeInvalid:
		switch r {
		case password.ReasonMalformed, password.ReasonCost, password.ReasonMemory, password.ReasonKey, password.ReasonOther:
			return true
		}
	}
	return false
}
