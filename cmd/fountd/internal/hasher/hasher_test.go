// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package hasher

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"fount/password"
)

var cheap = password.Policy{Algorithm: password.Bcrypt, Cost: 4}

// never is a stored bcrypt that takes days.
func never(t *testing.T) string {
	t.Helper()
	encoded, err := password.Hash(cheap, []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(encoded, "$04$", "$31$", 1)
}

// patient lets calls wait as long as this machine needs.
func patient(p password.Policy) password.Options {
	p.Limits.BcryptCost = 31
	return password.Options{Policy: p, Workers: 1, MaxWait: time.Hour, Memory: 1 << 28}
}

func start(t *testing.T, o password.Options) *Hasher {
	t.Helper()
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		h.Close(ctx)
	})
	return h
}

// eventually waits for what has no event.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// Callers notice nothing of twenty changes of policy beside them.
func TestNoCallIsLostByAChange(t *testing.T) {
	h := start(t, patient(cheap))
	ctx := context.Background()
	encoded, err := h.Hash(ctx, password.Login{}, []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := h.Verify(ctx, password.Login{}, []byte("secret"), encoded); err != nil {
					t.Error(err)
					return
				}
				if _, err := h.Hash(ctx, password.Login{}, []byte("other")); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range 20 {
		p := cheap
		p.Cost += 1 - i%2
		old := h.Pool()
		if replaced, err := h.Change(patient(p)); err != nil || !replaced || old == h.Pool() {
			t.Errorf("change %d: replaced %v, %v", i, replaced, err)
		}
		// The control: a caller that holds on to its pool is turned away.
		eventually(t, "the old pool is closed", func() bool {
			_, err := old.Verify(ctx, password.Login{}, []byte("secret"), encoded)
			return errors.Is(err, password.ErrClosed)
		})
	}
	close(stop)
	group.Wait()
}

// What does not change keeps its pool, with its counts and estimates.
func TestChangeOfNothing(t *testing.T) {
	h := start(t, patient(cheap))
	pool := h.Pool()
	if replaced, err := h.Change(patient(cheap)); err != nil || replaced || h.Pool() != pool {
		t.Fatalf("replaced %v, %v", replaced, err)
	}
	o := patient(cheap)
	o.Workers = 3
	if replaced, err := h.Change(o); err != nil || !replaced || h.Pool().Stats().Workers != 3 {
		t.Errorf("replaced %v, %v", replaced, err)
	}
}

func TestChangeRefused(t *testing.T) {
	h := start(t, patient(cheap))
	pool := h.Pool()
	if _, err := h.Change(patient(password.Policy{Algorithm: password.Bcrypt, Cost: 3})); err == nil || h.Pool() != pool {
		t.Errorf("%v; the pool is another: %v", err, h.Pool() != pool)
	}
	if _, err := h.Hash(context.Background(), password.Login{}, []byte("a")); err != nil {
		t.Error(err)
	}
}

// A call that goes on in a former pool keeps Close waiting, and ends with it.
func TestCloseFormer(t *testing.T) {
	h := start(t, patient(cheap))
	old := h.Pool()
	endless, ended := never(t), make(chan error, 1)
	go func() {
		_, err := h.Verify(context.Background(), password.Login{}, []byte("secret"), endless)
		ended <- err
	}()
	eventually(t, "the hash runs", func() bool { return old.Stats().Busy == 1 })
	p := cheap
	p.Cost = 5
	if replaced, err := h.Change(patient(p)); err != nil || !replaced {
		t.Fatal(replaced, err)
	}
	if _, err := h.Hash(context.Background(), password.Login{}, []byte("a")); err != nil {
		t.Error("beside it: ", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if err := h.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Close: %v", err)
	}
	if err := <-ended; !errors.Is(err, password.ErrClosed) {
		t.Errorf("the call: %v", err)
	}
	if _, err := h.Hash(context.Background(), password.Login{}, []byte("a")); !errors.Is(err, password.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := h.Change(patient(cheap)); !errors.Is(err, password.ErrClosed) {
		t.Errorf("Change after Close: %v", err)
	}
}

func TestObserve(t *testing.T) {
	h := start(t, patient(cheap))
	var o password.Observation
	if _, err := h.Verify(Observe(context.Background(), &o), password.Login{}, []byte("a"), ""); !errors.Is(err, password.ErrMismatch) {
		t.Fatal(err)
	}
	if o.Op != "verify" || o.Outcome != password.OutcomeUnknown {
		t.Errorf("%+v", o)
	}
}
