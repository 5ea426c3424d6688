// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package server

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fount/password"
)

// of lets calls wait as long as this machine needs.
func of(p password.Policy) password.Options {
	o := patient()
	o.Policy = p
	return o
}

// What can't be is refused, and changes nothing; nor does what is the same. No call is lost.
func TestChange(t *testing.T) {
	keyed := func() password.Options {
		p := cheap
		p.Keys, _ = password.NewKeyRing(password.Key{ID: "a", Secret: make([]byte, 16)})
		return of(p)
	}
	h := newPool(t, keyed())
	pool := h.Current()

	if _, err := h.Change(of(password.Policy{Algorithm: password.Bcrypt, Cost: 3})); err == nil || h.Current() != pool {
		t.Errorf("%v; the pool is another: %v", err, h.Current() != pool)
	}
	if _, err := h.Hash(context.Background(), password.Login{}, []byte("a")); err != nil {
		t.Error(err)
	}
	if replaced, err := h.Change(keyed()); err != nil || replaced {
		t.Errorf("the same, with a ring of its own: %v, %v", replaced, err)
	}

	p := cheap
	p.Cost = 5
	if _, err := retry(h, func(now *password.Pool) (string, error) {
		if now == pool { // which is another's before the call is there
			h.Change(of(p))
			<-h.Drained()
		}
		return now.Hash(context.Background(), password.Login{}, []byte("a"))
	}); err != nil || h.Current() == pool {
		t.Errorf("a call that came to a former pool: %v", err)
	}
}

// A call that goes on in a former pool keeps Close waiting, and ends with it.
func TestCloseFormer(t *testing.T) {
	h := newPool(t, of(cheap))
	old := h.Current()
	encoded := strings.Replace(stored(t, cheap, "secret"), "$04$", "$31$", 1)
	ended := make(chan error, 1)
	go func() {
		_, err := h.Verify(context.Background(), password.Login{}, []byte("secret"), encoded)
		ended <- err
	}()
	eventually(t, "the hash runs", func() bool { return old.Stats().Busy == 1 })

	p := cheap
	p.Cost = 5
	if replaced, err := h.Change(of(p)); err != nil || !replaced {
		t.Fatal(replaced, err)
	}
	if _, err := h.Hash(context.Background(), password.Login{}, []byte("a")); err != nil {
		t.Error("beside it: ", err)
	}
	select {
	case <-h.Drained():
		t.Error("it is drained while a call goes on")
	default:
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
}
