// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// cheap is the cheapest policy there is: 1 ms.
var cheap = Policy{Algorithm: Bcrypt, Cost: 4}

func newPool(t testing.TB, o Options) *Pool {
	t.Helper()
	if o.Policy.Algorithm == 0 {
		o.Policy = cheap
	}
	p, err := NewPool(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPoolVerifiesAndHashes(t *testing.T) {
	p := newPool(t, Options{})
	stored, err := p.Hash(t.Context(), Login{}, []byte("correct horse"))
	if err != nil {
		t.Fatal(err)
	}
	if err := bcrypt.CompareHashAndPassword([]byte(stored), []byte("correct horse")); err != nil {
		t.Errorf("x/crypto does not verify what the pool hashed: %v", err)
	}
	if _, err := p.Verify(t.Context(), Login{}, []byte("correct horse"), stored); err != nil {
		t.Errorf("the right password: %v; want nil", err)
	}
	if _, err := p.Verify(t.Context(), Login{}, []byte("correct hors"), stored); !errors.Is(err, ErrMismatch) {
		t.Errorf("a wrong password: %v; want ErrMismatch", err)
	}
	if _, err := p.Verify(t.Context(), Login{}, []byte("correct horse"), ""); err != ErrMismatch {
		t.Errorf("an unknown user: %v; want ErrMismatch itself", err)
	}
	s := p.Stats().SignIns
	for _, o := range []Outcome{OutcomeMatch, OutcomeMismatch, OutcomeUnknown, OutcomeHashed} {
		if n := s.Of(o); n != 1 {
			t.Errorf("%d calls ended as %v; want 1", n, o)
		}
	}
}

// Calls of several costs run at once, in batches, and none gets another's answer.
func TestPoolUnderMixedLoad(t *testing.T) {
	p := newPool(t, Options{MaxWait: time.Minute, Workers: 2})
	stored := map[string]string{}
	for _, pw := range []string{"a", "b", "c", "d"} {
		for _, cost := range []int{4, 5} {
			h, err := bcrypt.GenerateFromPassword([]byte(pw), cost)
			if err != nil {
				t.Fatal(err)
			}
			stored[string(h)] = pw
		}
	}
	var wg sync.WaitGroup
	for range 4 {
		for h, of := range stored {
			for _, pw := range []string{"a", "b", "c", "d"} {
				wg.Go(func() {
					_, err := p.Verify(t.Context(), Login{Principal: pw}, []byte(pw), h)
					if (err == nil) != (pw == of) {
						t.Errorf("%q against a hash of %q: %v", pw, of, err)
					}
				})
			}
		}
	}
	wg.Wait()
	s := p.Stats().SignIns
	if a, b := s.Of(OutcomeMatch), s.Of(OutcomeMismatch); a != 32 || b != 96 {
		t.Errorf("%d matches and %d mismatches; want 32 and 96", a, b)
	}
}

// Whatever becomes of a call, its copy of the password is wiped, and the caller's
// is not touched.
func TestPoolWipesItsCopy(t *testing.T) {
	given := []byte("correct horse")
	p := newPool(t, Options{
		Workers: 1, Policy: Policy{Algorithm: Bcrypt, Cost: 4, Limits: noLimits}, MaxWait: 10_000 * time.Hour,
	})
	start := func(ctx context.Context, encoded string) (key []byte, done chan error) {
		w, err := p.policy.admit(given, encoded)
		if err != nil {
			t.Fatal(err)
		}
		done = make(chan error, 1)
		key = w.key
		go func() { done <- p.do(ctx, Login{}, callOf([]work{w}, 0), new(Observation)) }()
		return key, done
	}
	// What is waited for holds from then on, for the hash never ends.
	until := func(reached func(Calls) bool) {
		t.Helper()
		for !reached(p.Stats().SignIns) {
			if t.Context().Err() != nil || p.Stats().SignIns.Of(OutcomeRefused) > 0 {
				t.Fatalf("%+v", p.Stats().SignIns)
			}
			runtime.Gosched()
		}
	}
	wiped := func(name string, key []byte) {
		if !bytes.Equal(key, make([]byte, len(key))) || len(key) != len(given)+1 {
			t.Errorf("%s: the copy holds %q", name, key)
		}
	}

	key, done := start(t.Context(), "")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wiped("completed", key)

	ctx, cancel := context.WithCancel(t.Context())
	runs, ran := start(ctx, endless["bcrypt"])
	until(func(s Calls) bool { return s.Running == 1 })
	waits, waited := start(ctx, endless["bcrypt"])
	until(func(s Calls) bool { return s.Queued == 1 })
	cancel()
	if err := <-waited; !errors.Is(err, context.Canceled) {
		t.Errorf("queued and canceled: %v", err)
	}
	if err := <-ran; err != context.Canceled {
		t.Errorf("running and canceled: %v", err)
	}
	for p.Stats().Busy > 0 {
		runtime.Gosched()
	}
	wiped("canceled while running", runs)
	wiped("canceled while queued", waits)

	short, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	key, done = start(short, "")
	if err := <-done; err == nil {
		t.Error("done in a nanosecond")
	}
	wiped("refused", key)
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	key, done = start(t.Context(), "")
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	wiped("closed", key)
	if string(given) != "correct horse" {
		t.Errorf("the caller's password is %q now", given)
	}
}

// To the scheduler a user who is not there is the same as one who is: for each
// algorithm, whatever decides on place, company and time in the queue is equal.
func TestUnknownUserIsLikeAKnownOne(t *testing.T) {
	for _, policy := range []Policy{
		{Algorithm: Bcrypt, Cost: 4},
		{Algorithm: Argon2id, Memory: 64, Iterations: 1},
		{Algorithm: Scrypt, Cost: 4},
		{Algorithm: PBKDF2SHA256, Iterations: 1000},
		{Algorithm: PBKDF2SHA512, Iterations: 1000},
	} {
		stored, err := Hash(policy, []byte("secret"))
		if err != nil {
			t.Fatal(err)
		}
		described := func(encoded string) []effort {
			w, err := policy.admit([]byte("guess"), encoded)
			if err != nil {
				t.Fatal(err)
			}
			return callOf([]work{w}, 0).task.stages
		}
		if known, unknown := described(stored), described(""); !reflect.DeepEqual(known, unknown) {
			t.Errorf("%v: a known user is %+v, an unknown one %+v", policy.Algorithm, known, unknown)
		}
		p := newPool(t, Options{Policy: policy})
		for _, encoded := range []string{stored, ""} {
			if r, err := p.Verify(t.Context(), Login{}, []byte("guess"), encoded); err != ErrMismatch || r != (Result{}) {
				t.Errorf("%v, stored %q: %v, %v; want no result and ErrMismatch itself", policy.Algorithm, encoded, r, err)
			}
		}
	}
}

// Guards come before the queue and cost nothing in it.
func TestPoolGuards(t *testing.T) {
	p := newPool(t, Options{Memory: 300 << 20})
	for _, c := range []struct {
		password string
		encoded  string
		want     error
	}{
		{"x", "nonsense", ErrMalformed},
		{"x", "$2b$31$abcdefghijklmnopqrstuuWHxnxkyNt6AHCwFMQaY6auyqJA8E98a", ErrCost},
		{strings.Repeat("x", 5000), "", ErrTooLong},
		{"", "", ErrMismatch},
		// Within the limits, but not within the pool's memory.
		{"x", "$argon2id$v=19$m=524288,t=1,p=1$c29tZXNhbHQ$" + strings.Repeat("A", 43), ErrCost},
	} {
		_, err := p.Verify(t.Context(), Login{}, []byte(c.password), c.encoded)
		if !errors.Is(err, c.want) {
			t.Errorf("a password of %d bytes against %.12q: %v; want %v", len(c.password), c.encoded, err, c.want)
		}
	}
	if _, err := p.Hash(t.Context(), Login{}, make([]byte, 5000)); !errors.Is(err, ErrTooLong) {
		t.Errorf("Hash of 5000 bytes: %v; want ErrTooLong", err)
	}
	s := p.Stats()
	for r, want := range map[Reason]uint64{ReasonMalformed: 1, ReasonCost: 1, ReasonMemory: 1, ReasonTooLong: 2, ReasonEmpty: 1} {
		if n := s.SignIns.Of(OutcomeInvalid, r); n != want {
			t.Errorf("%d for %v; want %d", n, r, want)
		}
	}
}

// Argon2 waits for memory, never holds more than the budget, and gets it again.
func TestPoolMemory(t *testing.T) {
	const each = 1 << 20
	p := newPool(t, Options{
		Policy:  Policy{Algorithm: Argon2id, Memory: each >> 10, Iterations: 1},
		Workers: 8, Memory: 3*each + each/2, MaxWait: time.Hour,
	})
	var callers, watch sync.WaitGroup
	stop := make(chan struct{})
	watch.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if s := p.Stats(); s.MemoryInUse > 3*each || s.Busy > 3 {
				t.Errorf("%d bytes and %d workers at once; want at most three of %d", s.MemoryInUse, s.Busy, each)
				return
			}
			runtime.Gosched()
		}
	})
	for i := range 100 {
		callers.Go(func() {
			if _, err := p.Verify(t.Context(), Login{Principal: fmt.Sprint(i)}, []byte("x"), ""); err != ErrMismatch {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	close(stop)
	watch.Wait()
	if m := &p.memory; m.used != 0 || m.size > 3*each || len(m.free) == 0 || len(m.free) > 3 {
		t.Errorf("after all: %d bytes in use, %d kept in %d pieces; want none, and at most three of %d",
			m.used, m.size, len(m.free), each)
	}
}

// The first calls are judged by what NewPool measured.
func TestPoolKnowsTimesFromTheStart(t *testing.T) {
	p := newPool(t, Options{
		Workers: 1, MaxWait: time.Millisecond, Policy: Policy{Algorithm: Bcrypt, Cost: 4, Limits: noLimits},
	})
	ctx, cancel := context.WithCancel(t.Context())
	first := begin(t, ctx, p, endless["bcrypt"])
	_, err := p.Verify(t.Context(), Login{}, []byte("x"), "")
	if _, ok := errors.AsType[OverloadedError](err); !ok {
		t.Errorf("behind a hash of a day, with 1 ms to wait: %v; want OverloadedError", err)
	}
	if s := p.Stats().SignIns; s.Of(OutcomeRefused, ReasonDeadline) != 1 || s.Of(OutcomeDropped) != 0 {
		t.Errorf("%+v; want one refused at once, none dropped", s)
	}
	cancel()
	<-first
}

// As long as the scheduler keeps the sum of what hashes say they need within the
// limit, what is mapped is within it too, kept scratches included; and a hash after
// one of its size maps nothing.
func TestStoreKeepsItsLimit(t *testing.T) {
	const limit = 64 * kib
	own := &store{limit: limit}
	most, reused := lendings(t, own, limit)
	if most > limit || reused < 100 {
		t.Errorf("at most %d bytes are mapped, and %d hashes of 1000 map nothing; want %d at most, and 100", most, reused, limit)
	}
	own.clear()
	if own.size != 0 || own.used != 0 || len(own.free) != 0 {
		t.Errorf("after clear: %d bytes kept in %d pieces, %d in use; want none", own.size, len(own.free), own.used)
	}
}

const kib = 1 << 10

// lendings has 1000 hashes of random sizes begin and end, and returns the most
// bytes that were mapped, and how many found their memory there.
func lendings(t *testing.T, s *store, limit int64) (most int64, reused int) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var running []*scratch
	var sum int64
	mapped := func() (n int64) {
		for _, l := range slices.Concat(running, s.free) {
			n += int64(len(l.memory))
		}
		return n
	}
	for range 1000 {
		n := []int64{4, 4, 4, 8, 17, 48}[rnd.IntN(6)] * kib
		for sum+n > limit {
			i := rnd.IntN(len(running))
			sum -= running[i].reserved
			s.give(running[i])
			running = slices.Delete(running, i, i+1)
		}
		l := s.take(n)
		if len(l.memory) > 0 {
			reused++
		}
		if rnd.IntN(4) == 0 {
			l.zeros(int(n))
		} else {
			l.forArgon2(int(n/kib) / 4 * 4)
		}
		l.reserved = n
		running = append(running, l)
		sum += n
		most = max(most, mapped())
	}
	for _, l := range running {
		s.give(l)
	}
	return most, reused
}

func TestPoolClose(t *testing.T) {
	p := newPool(t, Options{})
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Verify(t.Context(), Login{}, []byte("x"), ""); !errors.Is(err, ErrClosed) {
		t.Errorf("Verify after Close: %v; want ErrClosed", err)
	}
	if _, err := p.Hash(t.Context(), Login{}, []byte("x")); !errors.Is(err, ErrClosed) {
		t.Errorf("Hash after Close: %v; want ErrClosed", err)
	}

	p = newPool(t, Options{Workers: 1, Policy: Policy{Algorithm: Bcrypt, Cost: 4, Limits: noLimits}})
	answer := begin(t, t.Context(), p, endless["bcrypt"])
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Close with a context that is done: %v; want one that wraps its error", err)
	}
	if err := <-answer; err != ErrClosed {
		t.Errorf("the caller got %v; want ErrClosed", err)
	}
}
