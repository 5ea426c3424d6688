// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/password/internal/sched"
)

// A call's outcome and reason, as the observer is told them and as Stats counts them.
func TestObservations(t *testing.T) {
	var seen []Observation
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "caller's")
	p := newPool(t, Options{Observe: func(ctx context.Context, o Observation) {
		if ctx.Value(key{}) != "caller's" {
			t.Error("the observer has another context than the call")
		}
		seen = append(seen, o) // on this goroutine: the race detector would say so
	}})
	login := Login{Principal: "192.0.2.1"}
	stored, err := p.Hash(ctx, login, []byte("right"))
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	verify := func(ctx context.Context, l Login, password, encoded string) {
		p.Verify(ctx, l, []byte(password), encoded)
	}
	verify(ctx, login, "right", stored)
	verify(ctx, login, "wrong", stored)
	verify(ctx, Login{}, "wrong", "")
	verify(gone, login, "right", stored)
	verify(ctx, login, "right", "nonsense")
	p.Hash(ctx, login, nil)
	p.Hash(ctx, login, []byte("\x00"))
	p.Close(ctx)
	verify(ctx, login, "right", stored)

	type ending struct {
		op      string
		outcome Outcome
		reason  Reason
		err     error // for errors.Is
		alg     Algorithm
		begun   bool
	}
	want := []ending{
		{"hash", OutcomeHashed, NoReason, nil, Bcrypt, true},
		{"verify", OutcomeMatch, NoReason, nil, Bcrypt, true},
		{"verify", OutcomeMismatch, NoReason, ErrMismatch, Bcrypt, true},
		{"verify", OutcomeUnknown, NoReason, ErrMismatch, Bcrypt, true},
		{"verify", OutcomeCanceled, ReasonGone, context.Canceled, Bcrypt, false},
		{"verify", OutcomeInvalid, ReasonMalformed, ErrMalformed, 0, false},
		{"hash", OutcomeInvalid, ReasonEmpty, ErrEmpty, 0, false},
		{"hash", OutcomeInvalid, ReasonNUL, ErrNUL, 0, false},
		{"verify", OutcomeRefused, ReasonClosed, ErrClosed, Bcrypt, false},
	}
	if len(seen) != len(want) {
		t.Fatalf("%d calls were observed, want %d", len(seen), len(want))
	}
	for i, w := range want {
		o := seen[i]
		got := ending{o.Op, o.Outcome, o.Reason, w.err, o.Algorithm, o.Lanes > 0}
		if got != w || w.err != nil && !errors.Is(o.Err, w.err) || (o.Err == nil) != (o.Outcome == OutcomeMatch || o.Outcome == OutcomeHashed) {
			t.Errorf("call %d: %+v with %v, want %+v", i, got, o.Err, w)
		}
		if cost := o.Cost(); cost != map[bool]string{true: "4", false: ""}[o.Algorithm != 0] {
			t.Errorf("call %d: cost %q", i, cost)
		}
		if (o.Service > 0) != w.begun || o.Wait < 0 || o.Total < o.Wait+o.Service || o.Start.IsZero() {
			t.Errorf("call %d: waited %v, served %v, of %v", i, o.Wait, o.Service, o.Total)
		}
	}
	counted := p.Stats().endings()
	if observed := endingsOf(seen); !reflect.DeepEqual(counted, observed) {
		t.Errorf("Stats counts %v, the observer %v", counted, observed)
	}
}

// An endings counts calls by class, outcome and reason, in words.
type endings map[string]uint64

func endingsOf(seen []Observation) endings {
	e := endings{}
	for _, o := range seen {
		e[fmt.Sprint(o.Upgrade)+" "+o.Outcome.String()+" "+o.Reason.String()]++
	}
	return e
}

func (s Stats) endings() endings {
	e := endings{}
	for i, c := range []ClassStats{s.SignIn, s.Rehash} {
		for _, o := range c.Calls.Outcomes {
			for _, r := range o.Reasons {
				if r.Count > 0 {
					e[fmt.Sprint(i > 0)+" "+o.Outcome.String()+" "+r.Reason.String()] += r.Count
				}
			}
		}
	}
	return e
}

// A panic of the observer reaches nobody, and is counted. One of the context's goes on to its caller, and its call is
// counted too.
func TestObserverPanics(t *testing.T) {
	told := 0
	p := newPool(t, Options{Observe: func(context.Context, Observation) { told++; panic("observer") }})
	if _, err := p.Verify(t.Context(), Login{}, []byte("x"), ""); err != ErrMismatch {
		t.Errorf("Verify with an observer that panics: %v", err)
	}
	func() {
		defer func() {
			if got := recover(); got != "context" {
				t.Errorf("recovered %v, want the context's panic", got)
			}
		}()
		p.Verify(panicky{t.Context()}, Login{}, []byte("x"), "")
	}()
	s := p.Stats()
	if told != 2 || s.ObserverPanics != 2 {
		t.Errorf("told %d times, %d panics; want 2 and 2", told, s.ObserverPanics)
	}
	c := s.SignIn.Calls
	if c.Started != 2 || c.InFlight != 0 || c.Of(OutcomeUnknown).Count != 1 || c.Of(OutcomeCanceled).For(ReasonLeft) != 1 {
		t.Errorf("counted as %+v", c)
	}
}

// The observer runs after the counting, so that Stats has its call, and without locks: it may use the pool.
func TestObserverUsesPool(t *testing.T) {
	var p *Pool
	told := 0
	p = newPool(t, Options{Observe: func(ctx context.Context, o Observation) {
		if told++; told > 1 { // of the call below
			return
		}
		if c := p.Stats().SignIn.Calls; c.InFlight != 0 || c.Of(o.Outcome).Count != 1 {
			t.Errorf("the observer's own call is counted as %d, with %d in flight", c.Of(o.Outcome).Count, c.InFlight)
		}
		if _, err := p.Verify(ctx, Login{}, []byte("x"), ""); err != ErrMismatch {
			t.Errorf("Verify in the observer: %v", err)
		}
	}})
	p.Verify(t.Context(), Login{}, []byte("x"), "")
	if told != 2 {
		t.Errorf("told %d times, want 2", told)
	}
}

// Of a call of several hashes, Wait and Service are the sums.
func TestObservationOfSeveralHashes(t *testing.T) {
	var o Observation
	o.add(&sched.Task{Waited: 1, Served: 10, Beside: 2}, nil, false)
	o.add(&sched.Task{Waited: 2, Served: 20, Beside: 3}, nil, true)
	o.add(&sched.Task{Waited: 4}, sched.ErrClosed, true)
	if o.Wait != 7 || o.Service != 30 || o.Lanes != 3 || o.Outcome != OutcomeCanceled || o.Reason != ReasonClosed {
		t.Errorf("%+v", o)
	}
}

// panicky is a context that panics.
type panicky struct{ context.Context }

func (panicky) Err() error { panic("context") }

// The enums are complete: each value has a word of its own and reads it back, each reason belongs to an outcome, and all
// that the scheduler refuses for has one.
func TestOutcomesAndReasons(t *testing.T) {
	words := map[string]bool{}
	used := make([]bool, reasons)
	n := 0
	for o := range Outcomes() {
		n++
		text, err := o.MarshalText()
		var back Outcome
		if err != nil || back.UnmarshalText(text) != nil || back != o || words[string(text)] || string(text) == "none" {
			t.Errorf("outcome %d is %q, read back as %v", o, text, back)
		}
		words[string(text)] = true
		for r := range o.Reasons() {
			used[r] = true
		}
	}
	if n != int(outcomes)-1 || n < 9 {
		t.Errorf("%d outcomes", n)
	}
	clear(words)
	for r := range reasons {
		text, _ := r.MarshalText()
		var back Reason
		if back.UnmarshalText(text) != nil || back != r || words[string(text)] || !used[r] {
			t.Errorf("reason %d is %q, read back as %v; used: %v", r, text, back, used[r])
		}
		words[string(text)] = true
	}
	if (Outcome(-1)).String() != "none" || outcomes.String() != "none" || Reason(-1).String() != "none" || reasons.String() != "none" {
		t.Error("what is no outcome or reason has a word")
	}
	if new(Outcome).UnmarshalText([]byte("won")) == nil || new(Reason).UnmarshalText([]byte("why")) == nil {
		t.Error("words that are none are read")
	}
	for r := sched.Reason(1); r < sched.Reasons; r++ {
		if r == sched.Off {
			continue
		}
		of := OutcomeRefused
		switch r {
		case sched.Late, sched.Evicted:
			of = OutcomeDropped
		case sched.Memory:
			of = OutcomeInvalid
		}
		if !slices.Contains(reasonsOf[of], refusedFor[r]) {
			t.Errorf("the scheduler's %v is %v, which is no reason of %v", r, refusedFor[r], of)
		}
	}
}

// Before the first call everything is there: no series appears late.
func TestStatsAreComplete(t *testing.T) {
	p := newPool(t, Options{Stored: []string{"$pbkdf2-sha256$i=1000$" + goodSalt + "$" + goodSum}})
	s := p.Stats()
	histograms := func(hs ...Histogram) {
		t.Helper()
		for _, h := range hs {
			if len(h.Counts) != HistogramBuckets || h.Count != 0 {
				t.Errorf("a histogram of %d in %d buckets", h.Count, len(h.Counts))
			}
		}
	}
	n := 0
	for class, c := range []ClassStats{s.SignIn, s.Rehash} {
		n++
		if len(c.Calls.Outcomes) != int(outcomes)-1 {
			t.Errorf("%v: %d outcomes", class, len(c.Calls.Outcomes))
		}
		histograms(c.Calls.Wait, c.Calls.Service, c.Calls.Answered())
		for _, o := range c.Calls.Outcomes {
			histograms(o.Total)
			if len(o.Reasons) != len(reasonsOf[o.Outcome]) {
				t.Errorf("%v, %v: reasons %v", class, o.Outcome, o.Reasons)
			}
		}
	}
	if n != 2 || len(s.Hashes) != 2 {
		t.Errorf("%d classes, hashes %v", n, s.Hashes)
	}
	for _, h := range s.Hashes {
		histograms(h.Wait, h.Service)
	}
	var algorithms []string
	for a, h := range s.Algorithms() {
		algorithms = append(algorithms, a.String())
		histograms(h.Wait, h.Service)
	}
	if !slices.Equal(algorithms, algorithmNames[1:]) {
		t.Errorf("algorithms %q", algorithms)
	}
	text, err := json.Marshal(s)
	var back Stats
	if err != nil || json.Unmarshal(text, &back) != nil || !strings.Contains(string(text), `"outcome":"refused"`) {
		t.Fatalf("%.200s, %v", text, err)
	}
	if s.Start.IsZero() || s.Time.Before(s.Start) {
		t.Errorf("made at %v, looked at at %v", s.Start, s.Time)
	}
}

// The bounds are those that the docs give, and a histogram's interval is what came in it.
func TestHistogramBounds(t *testing.T) {
	bounds := HistogramBounds()
	if len(bounds) != HistogramBuckets-1 || bounds[0] != 1.0/(1<<14) || bounds[len(bounds)-1] != 128 || bounds[-HistogramOffset] != 1 {
		t.Errorf("%d bounds from %v to %v", len(bounds), bounds[0], bounds[len(bounds)-1])
	}
	for i, b := range bounds[1:] {
		if ratio := b / bounds[i]; ratio < 1.189 || ratio > 1.1893 {
			t.Errorf("bound %d is %v times the one before", i+1, ratio)
		}
	}
	a, b := emptyHistogram(), emptyHistogram()
	a.Count, a.Sum, a.Counts[3] = 2, time.Second, 2
	b.Count, b.Sum, b.Counts[3], b.Counts[85] = 5, time.Minute, 2, 3
	sum := a.Add(b)
	if sum.Count != 7 || sum.Sum != 61*time.Second || sum.Counts[3] != 4 || sum.Counts[85] != 3 || a.Counts[3] != 2 {
		t.Errorf("the sum is %+v", sum)
	}
	if got := sum.Sub(a); !reflect.DeepEqual(got, b) {
		t.Errorf("less the first it is %+v", got)
	}
	if got := (Histogram{}).Add(a); !reflect.DeepEqual(got, a) {
		t.Errorf("the zero histogram adds %+v", got)
	}
}

// What slog prints of a call.
func TestObservationLogs(t *testing.T) {
	var b bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	for _, test := range []struct {
		o    Observation
		want string
	}{
		{
			Observation{
				Op: "verify", Outcome: OutcomeMatch, Algorithm: Bcrypt, Wait: 1e6, Service: 2e6, Total: 3e6, Lanes: 2,
				kind: sched.Kind{Algorithm: uint8(Bcrypt), Cost: [3]uint32{10}},
			},
			"level=INFO msg=call call.op=verify call.upgrade=false call.outcome=match call.reason=none call.algorithm=bcrypt" +
				" call.cost=10 call.wait=1ms call.service=2ms call.lanes=2 call.total=3ms\n",
		},
		{
			Observation{Op: "hash", Upgrade: true, Outcome: OutcomeInvalid, Reason: ReasonNUL, Err: errors.New("secret"), Total: 1e3},
			"level=INFO msg=call call.op=hash call.upgrade=true call.outcome=invalid call.reason=nul call.wait=0s call.total=1µs\n",
		},
	} {
		b.Reset()
		logger.Info("call", "call", test.o)
		if got := b.String(); got != test.want {
			t.Errorf("got  %swant %s", got, test.want)
		}
	}
}
