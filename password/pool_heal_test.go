// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A pool that was made during a pause of the machine, and so believes that a hash
// takes longer than any caller waits, tries the first call all the same, and knows better after it.
func TestPoolHeals(t *testing.T) {
	p := newPool(t, Options{Policy: Policy{Algorithm: Bcrypt, Cost: 6}})
	p.queue.units[Bcrypt] = float64(100*time.Minute) / (1 << 6)
	verify := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := p.Verify(ctx, Login{}, []byte("guess"), "")
		return err
	}
	for i := range 10 {
		if err := verify(); err != ErrMismatch {
			t.Errorf("call %d: %v; want it answered", i, err)
		}
	}
	if d := p.Stats().Hashes[0].Alone; d > time.Minute {
		t.Errorf("the pool still believes that a hash takes %v", d)
	}
}

// A service whose tests run in a bubble, where no time passes while a hash is made, gets its
// answers.
func TestPoolInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, Options{})
		for range 5 {
			if _, err := p.Verify(t.Context(), Login{}, []byte("x"), ""); err != ErrMismatch {
				t.Errorf("%v; want ErrMismatch", err)
			}
		}
	})
}
