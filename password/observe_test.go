// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A call's outcome and reason, as the observer is told them and as Stats counts them.
func TestObservations(t *testing.T) {
	var seen []Observation
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "caller's")
	p := newPool(t, Options{Memory: 1 << 20, Observe: func(ctx context.Context, o Observation) {
		if ctx.Value(key{}) != "caller's" {
			t.Error("the observer has another context than the call")
		}
		seen = append(seen, o) // on this goroutine: the race detector would say so
	}})
	login := Login{Principal: "192.0.2.1"}

	stored := must(p.Hash(ctx, login, []byte("right")))(t)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	verify := func(ctx context.Context, l Login, password, encoded string) {
		p.Verify(ctx, l, []byte(password), encoded)
	}

	verify(ctx, login, "right", stored)
	verify(ctx, login, "wrong", stored)
	verify(ctx, Login{Upgrade: true}, "wrong", "")
	verify(gone, login, "right", stored)
	verify(ctx, login, "right", "nonsense")
	verify(ctx, login, "right", "$argon2id$v=19$m=2048,t=1,p=1$"+goodSalt+"$"+goodSum)
	verify(ctx, login, "", stored)
	verify(ctx, login, ten[:1025], stored)
	verify(ctx, login, "right", "$2b$31$"+goodBcrypt[7:])
	p.Hash(ctx, login, []byte("\x00"))
	p.Ready(ctx, login) // of nil nobody is told
	p.Close(ctx)
	verify(ctx, login, "right", stored)
	p.Ready(ctx, login)

	type ending struct {
		op      string
		upgrade bool
		outcome Outcome
		reason  Reason
		err     error // for errors.Is
		alg     Algorithm
		begun   bool
	}
	want := []ending{
		{op: "hash", outcome: OutcomeHashed, alg: Bcrypt, begun: true},
		{op: "verify", outcome: OutcomeMatch, alg: Bcrypt, begun: true},
		{op: "verify", outcome: OutcomeMismatch, err: ErrMismatch, alg: Bcrypt, begun: true},
		{op: "verify", outcome: OutcomeUnknown, err: ErrMismatch, alg: Bcrypt, begun: true, upgrade: true},
		{op: "verify", outcome: OutcomeCanceled, reason: ReasonGone, err: context.Canceled, alg: Bcrypt},
		{op: "verify", outcome: OutcomeInvalid, reason: ReasonMalformed, err: ErrMalformed},
		{op: "verify", outcome: OutcomeInvalid, reason: ReasonMemory, err: ErrCost, alg: Argon2id},
		{op: "verify", outcome: OutcomeInvalid, reason: ReasonEmpty, err: ErrMismatch},
		{op: "verify", outcome: OutcomeInvalid, reason: ReasonTooLong, err: ErrTooLong},
		{op: "verify", outcome: OutcomeInvalid, reason: ReasonCost, err: ErrCost},
		{op: "hash", outcome: OutcomeInvalid, reason: ReasonNUL, err: ErrNUL},
		{op: "verify", outcome: OutcomeRefused, reason: ReasonClosed, err: ErrClosed, alg: Bcrypt},
		{op: "ready", outcome: OutcomeRefused, reason: ReasonClosed, err: ErrClosed, alg: Bcrypt},
	}

	if len(seen) != len(want) {
		t.Fatalf("%d calls were observed, want %d", len(seen), len(want))
	}

	counted := map[bool]map[Ending]uint64{false: {}, true: {}}
	for i, w := range want {
		o := seen[i]
		got := ending{o.Op, o.Upgrade, o.Outcome, o.Reason, w.err, o.Algorithm, o.Lanes > 0}
		if got != w || !errors.Is(o.Err, w.err) || (o.Err == nil) != (o.Outcome == OutcomeMatch || o.Outcome == OutcomeHashed) {
			t.Errorf("call %d: %+v with %v, want %+v", i, got, o.Err, w)
		}
		if (o.Service > 0) != w.begun || o.Wait < 0 || o.Total < o.Wait+o.Service || o.Start.IsZero() {
			t.Errorf("call %d: waited %v, served %v, of %v", i, o.Wait, o.Service, o.Total)
		}
		counted[o.Upgrade][Ending{Outcome: o.Outcome, Reason: o.Reason}]++
	}

	s := p.Stats()
	for upgrade, calls := range map[bool]Calls{false: s.SignIns, true: s.Upgrades} {
		got := map[Ending]uint64{}
		for i, e := range calls.Ended {
			if all := Endings()[i]; all.Outcome != e.Outcome || all.Reason != e.Reason {
				t.Errorf("%+v is at the place of %+v", e, all)
			}
			if e.Count > 0 {
				got[Ending{Outcome: e.Outcome, Reason: e.Reason}] = e.Count
			}
		}
		if !reflect.DeepEqual(got, counted[upgrade]) {
			t.Errorf("Stats counts %v, the observer %v", got, counted[upgrade])
		}
		if n := calls.Total.Count(); n != calls.Of(OutcomeMatch)+calls.Of(OutcomeMismatch)+calls.Of(OutcomeUnknown)+calls.Of(OutcomeHashed) || n != calls.Wait.Count() || n != calls.Service.Count() {
			t.Errorf("%d answered calls in %+v", n, calls)
		}
	}

	if len(s.Hashes) != 1 || s.Hashes[0].Algorithm != "bcrypt" || s.Hashes[0].Cost != "4" || s.Hashes[0].Service.Count() != 4 {
		t.Errorf("the hashes are %+v", s.Hashes)
	}

	text, err := json.Marshal(s)
	if err != nil || !bytes.Contains(text, []byte(`{"outcome":"refused","reason":"closed","count":2}`)) || bytes.Contains(text, []byte("192.0.2")) {
		t.Errorf("as JSON: %s, %v", text, err)
	}

	var back Stats
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("%s is read as\n%+v, %v, want\n%+v", text, back, err, s)
	}
}

// An error is ErrNotBegun exactly if no worker had the call, whatever it is otherwise.
func TestErrNotBegun(t *testing.T) {
	formats := must(NewFormats(sleeps{}))(t)
	type end struct {
		Outcome
		Reason
		begun bool
	}

	seen := map[end]bool{}
	for seed := range uint64(8) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 46))
			var mu sync.Mutex
			p := newPool(t, Options{Workers: 1, MaxWait: 2 * time.Second, Policy: Policy{Algorithm: Bcrypt, Cost: 4, Formats: formats},
				Observe: func(_ context.Context, o Observation) {
					mu.Lock()
					defer mu.Unlock()
					seen[end{o.Outcome, o.Reason, o.Lanes > 0}] = true
					if o.Err != nil && errors.Is(o.Err, ErrNotBegun) != (o.Lanes == 0) {
						t.Errorf("%v, %v, with %d lanes: %v", o.Outcome, o.Reason, o.Lanes, o.Err)
					}
				}})

			var calls sync.WaitGroup
			for range 50 {
				stored := []string{"sleeps", "sleeps", "", goodBcrypt, "nonsense"}[rng.IntN(5)]
				given := []string{"right", "right", "right", "", ten[:1025]}[rng.IntN(5)]
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rng.IntN(1000))*time.Millisecond)
				if rng.IntN(3) == 0 {
					time.AfterFunc(time.Duration(rng.IntN(500))*time.Millisecond, cancel)
				}
				login := Login{Upgrade: rng.IntN(4) == 0}
				calls.Go(func() {
					p.Verify(ctx, login, []byte(given), stored)
					p.Ready(ctx, Login{})
					cancel()
				})
				time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
			defer cancel()
			p.Close(ctx)
			calls.Wait()
			time.Sleep(time.Second) // the hash that Close did not wait for ends
		})
	}

	for _, e := range []end{
		{OutcomeRefused, ReasonDeadline, false}, {OutcomeDropped, ReasonLate, false}, {OutcomeExpired, NoReason, true},
		{OutcomeCanceled, ReasonLeft, false}, {OutcomeCanceled, ReasonLeft, true},
		{OutcomeCanceled, ReasonClosed, false}, {OutcomeCanceled, ReasonClosed, true},
	} {
		if !seen[e] {
			t.Errorf("no call ended as %+v, only as %v", e, seen)
		}
	}
}

// sleeps is a form whose hashes take 100 ms, and match nothing.
type sleeps struct{}

func (sleeps) Name() string { return "sleeps" }
func (sleeps) Parse(encoded string) (Parsed, error) {
	if encoded != "sleeps" {
		return nil, nil
	}
	return &Computed{
		Time: func(int) time.Duration { return 100 * time.Millisecond }, Sum: make([]byte, 16),
		Compute: func(_, _ []byte, yield func() bool) []byte {
			time.Sleep(100 * time.Millisecond)
			yield()
			return []byte{}
		},
	}, nil
}

// A panic of the context's or of the observer's goes on to the caller, and the call is counted.
func TestPanics(t *testing.T) {
	p := newPool(t, Options{Observe: func(context.Context, Observation) { panic("observer") }})
	for want, ctx := range map[string]context.Context{"observer": t.Context(), "context": lastGasp{t.Context()}} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("recovered %v, want %s", got, want)
				}
			}()
			p.Verify(ctx, Login{}, []byte("x"), "")
		}()
	}

	p.Close(t.Context())
	if n := p.Stats().SignIns.Of(OutcomeUnknown); n != 2 {
		t.Errorf("%d calls are counted; want 2", n)
	}
}

// lastGasp is a context that panics when its call is in the queue or with a worker.
type lastGasp struct{ context.Context }

func (lastGasp) Done() <-chan struct{} { panic("context") }

// Who asks for most stands at the top, by a name that only the pool can tell.
func TestTop(t *testing.T) {
	p := newPool(t, Options{})
	q := newPool(t, Options{})
	most := "192.0.2.7"
	other := "192.0.2.8"
	if p.PrincipalID(most) < p.PrincipalID(other) {
		most, other = other, most // so that the order of the IDs is another
	}

	for _, principal := range []string{most, other, most} {
		p.Verify(t.Context(), Login{Principal: principal}, []byte("x"), "")
	}

	id := p.PrincipalID(most)
	if top := p.Stats().Top; len(top) != 2 || top[0].ID != id || top[1].ID != p.PrincipalID(other) {
		t.Errorf("the top is %+v; want %s first", top, id)
	}

	if id == q.PrincipalID(most) || id == p.PrincipalID(other) {
		t.Error("two pools, or two principals, have the same ID")
	}
}

// What slog prints of a call has nothing of its error, which may say anything.
func TestObservationLogs(t *testing.T) {
	var b bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&b, nil))
	logger.Info("call", "", Observation{
		Op: "verify", Outcome: OutcomeMismatch, Algorithm: Bcrypt, Wait: 1e6, Service: 2e6, Total: 3e6, Lanes: 2,
		Err: errors.New("secret"), kind: kind{algorithm: Bcrypt, cost: [3]uint32{10}},
	})
	for _, want := range []string{"outcome=mismatch", "algorithm=bcrypt", "cost=10", "service=2ms"} {
		if got := b.String(); !strings.Contains(got, want) || strings.Contains(got, "secret") {
			t.Errorf("%s; want %s and no secret", got, want)
		}
	}
}

// Each bucket ends at the last whole nanosecond that is not above a power of the fourth root of
// two.
func TestHistogramBuckets(t *testing.T) {
	for i, end := range HistogramBounds() {
		if want := math.Exp2(float64(firstBucket) + float64(i)/4); math.Abs(end/want-1) > 1e-15 {
			t.Errorf("bucket %d ends at %v s, want %v", i, end, want)
		}
		d := time.Duration(end * 1e9)
		if got, next := bucket(d), bucket(d+1); got != i || next != i+1 {
			t.Errorf("%d ns and one more are in the buckets %d and %d, want %d and %d", d, got, next, i, i+1)
		}
	}

	for d, want := range map[time.Duration]int{
		math.MinInt64: 0, -1: 0, 0: 0, 1: 0, time.Second: 56, time.Second + 1: 57,
		128 * time.Second: 84, 128*time.Second + 1: 85, math.MaxInt64: 85,
	} {
		if got := bucket(d); got != want {
			t.Errorf("%v is in bucket %d, want %d", d, got, want)
		}
	}
}

// What is noted is counted once, also what overflows, and quantiles are ends of buckets.
func TestHistogram(t *testing.T) {
	var h Histogram
	if q := h.Quantile(0.5); q != 0 {
		t.Errorf("the median of nothing is %v", q)
	}

	for _, d := range []time.Duration{1, time.Second, time.Second, time.Hour} {
		h.record(d)
	}
	if h.Count() != 4 || h.Sum != time.Hour+2*time.Second+1 || h.Counts[85] != 1 || h.Counts[0] != 1 {
		t.Errorf("%d durations of %v, %v", h.Count(), h.Sum, h.Counts)
	}

	for q, want := range map[float64]time.Duration{0: 61035, 0.25: 61035, 0.26: time.Second, 0.75: time.Second, 1: 128 * time.Second} {
		if got := h.Quantile(q); got != want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
}
