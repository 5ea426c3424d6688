// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// fountd ends while its clients call.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fount/password"
	"fount/remote"
)

// A caller makes one call after the other, and counts how they end.
type caller struct{ answered, refused atomic.Int64 }

// call makes calls until stop is closed. Each must end by itself, with a match or with a refusal
// that lets the user come back.
func (c *caller) call(t *testing.T, v password.Verifier, encoded string, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		_, err := v.Verify(ctx, password.Login{Principal: fmt.Sprintf("%p", c)}, []byte("secret"), encoded)
		cancel()
		switch {
		case err == nil:
			c.answered.Add(1)
		case errors.As(err, new(password.OverloadedError)), errors.Is(err, password.ErrClosed):
			c.refused.Add(1)
			time.Sleep(time.Millisecond) // a client that comes back
		default:
			t.Errorf("a call ended with %v", err)
			return
		}
	}
}

// under has eight callers of one client call until the test is over or the returned function is
// called.
func under(t *testing.T, p *process) (callers []*caller, stop func()) {
	t.Helper()
	return underClient(t, p.remote())
}

func underClient(t *testing.T, client *remote.HTTPClient) (callers []*caller, stop func()) {
	t.Helper()
	encoded := stored(t, cheap)
	over := make(chan struct{})
	var running sync.WaitGroup
	for range 8 {
		c := new(caller)
		callers = append(callers, c)
		running.Go(func() { c.call(t, client, encoded, over) })
	}
	stop = sync.OnceFunc(func() {
		close(over)
		running.Wait()
		client.Close(context.Background())
	})
	t.Cleanup(stop)
	return callers, stop
}

// each waits until a number of each caller has grown by ten.
func each(t *testing.T, what string, callers []*caller, number func(*caller) int64) {
	t.Helper()
	for i, c := range callers {
		from := number(c)
		eventually(t, fmt.Sprintf("caller %d: ten more calls are %s", i, what), func() bool { return t.Failed() || number(c) >= from+10 })
	}
}

func answered(c *caller) int64 { return c.answered.Load() }
func refused(c *caller) int64  { return c.refused.Load() }

// kill -9 under load: calls are refused, none hangs, and when fountd is there again the same client
// is answered.
func TestKilledUnderLoad(t *testing.T) {
	p := start(t, nil)
	callers, stop := under(t, p)
	each(t, "answered", callers, answered)
	p.signal(syscall.SIGKILL)
	p.end()
	each(t, "refused", callers, refused)
	startIn(t, p.dir, nil, "--policy", "bcrypt,cost=4", "--max-wait", "1h")
	each(t, "answered", callers, answered)
	stop()
}
