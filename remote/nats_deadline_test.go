// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package remote

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"fount/password"
)

// A lateContext's timer fires a while after its deadline, as timers of busy machines do.
type lateContext struct {
	context.Context
	deadline time.Time
}

func (c lateContext) Deadline() (time.Time, bool) { return c.deadline, true }

// A call that comes to its deadline before the context's timer does is expired, or what the workers have said of it.
func TestNATSLateTimer(t *testing.T) {
	const left, late = 50 * time.Millisecond, 100 * time.Millisecond
	for name, x := range map[string]struct {
		left  time.Duration
		order []fate
		want  error
	}{
		"no time for a request":            {0, []fate{serve}, context.DeadlineExceeded},
		"no time for a second one":         {20 * time.Millisecond, []fate{overload}, password.OverloadedError{}},
		"silent, no time for a second one": {left, []fate{drop}, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := newFleet(t, NATSOptions{Silence: left}, in(x.order...))
				ctx, cancel := context.WithTimeout(t.Context(), late)
				defer cancel()
				_, err := c.Verify(lateContext{ctx, time.Now().Add(x.left)}, caller, []byte("secret"), "secret")
				_, refused := errors.AsType[password.OverloadedError](err)
				if x.want == context.DeadlineExceeded && !errors.Is(err, x.want) || x.want != context.DeadlineExceeded && !refused {
					t.Errorf("%v; want %v", err, x.want)
				}
				if s := c.Stats(); s.InFlight != 0 || s.Submitted != s.Answered+s.Refused+s.Expired+s.Canceled {
					t.Errorf("%+v", s)
				}
			})
		})
	}
}
