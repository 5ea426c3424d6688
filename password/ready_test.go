// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"context"
	"errors"
	"testing"
	"time"
)

// What Ready says, and what it counts, for each refusal that needs no load. The scheduler's own
// tests have the others.
func TestReady(t *testing.T) {
	var last Observation
	p := newPool(t, Options{Policy: Policy{Algorithm: Bcrypt, Cost: 4},
		Observe: func(_ context.Context, o Observation) { last = o }})
	login := Login{Principal: "192.0.2.1"}
	if err := p.Ready(t.Context(), login); err != nil || last.Op != "" {
		t.Errorf("an idle pool: %v, observed %+v", err, last)
	}
	if after := p.Stats(); after.SignIns.Queued+after.SignIns.Running != 0 || len(after.Top) > 0 {
		t.Errorf("a nil answer leaves %+v", after.SignIns)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Ready(gone, Login{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if err := p.Ready(short, Login{}); err == nil {
		t.Error("a nanosecond is enough")
	}
	p.Close(t.Context())
	if err := p.Ready(t.Context(), Login{}); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed pool: %v", err)
	}
}
