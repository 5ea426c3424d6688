// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// fountd ends, stands still and comes back while its clients call.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/socketdir"
	"fount/password"
	"fount/remote"
)

// A caller makes one call after the other, and counts how they end.
type caller struct{ answered, refused atomic.Int64 }

// call makes calls of right and wrong passwords until stop is set. Each must end by itself, with
// a true answer or with a refusal that lets the user come back.
func (c *caller) call(t *testing.T, v password.Verifier, encoded string, stop *atomic.Bool) {
	for right := true; !stop.Load(); right = !right {
		given, want := "secret", error(nil)
		if !right {
			given, want = "other", password.ErrMismatch
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		_, err := v.Verify(ctx, password.Login{Principal: fmt.Sprintf("%p", c)}, []byte(given), encoded)
		cancel()
		switch {
		case errors.Is(err, want):
			c.answered.Add(1)
		case errors.As(err, new(password.OverloadedError)), errors.Is(err, password.ErrClosed):
			c.refused.Add(1)
			time.Sleep(time.Millisecond) // a client that comes back
		default:
			t.Errorf("password %q: %v", given, err)
			return
		}
	}
}

type closer interface {
	password.Verifier
	Close(context.Context) error
}

// under has eight callers of a client call until stop or the end of the test.
func under(t *testing.T, client closer) (callers []*caller, stop func()) {
	t.Helper()
	encoded := stored(t, cheap)
	var over atomic.Bool
	var running sync.WaitGroup
	for range 8 {
		c := new(caller)
		callers = append(callers, c)
		running.Go(func() { c.call(t, client, encoded, &over) })
	}
	stop = sync.OnceFunc(func() {
		over.Store(true)
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

// kill -9 under load: calls are refused, none hangs, and the next fountd answers the same client.
func TestKilledUnderLoad(t *testing.T) {
	p := start(t, nil)
	callers, stop := under(t, p.remote())
	each(t, "answered", callers, answered)
	p.signal(syscall.SIGKILL)
	p.end()
	each(t, "refused", callers, refused)
	startIn(t, p.dir, nil, "--policy", "bcrypt,cost=4", "--max-wait", "1h")
	each(t, "answered", callers, answered)
	stop()
}

// Whatever befalls one of three workers, or the broker, each call ends by a true answer or by a
// refusal, and calls are answered again when it is over.
func TestFleetFaults(t *testing.T) {
	key, b, workers := filepath.Join(t.TempDir(), "fleet.key"), newBroker(t, ""), make([]*process, 3)
	public := fleetKey(t, "new", key)
	begin := func(i int) {
		workers[i] = startIn(t, socketdir.New(t), nil, "--policy", "bcrypt,cost=8", "--max-wait", "20s", "--memory", "256M", "--nats-key", key, "--nats", b.url())
		workers[i].said("nats connected")
	}
	end := func(i int, by syscall.Signal) {
		workers[i].signal(by)
		workers[i].end()
	}
	for i := range workers {
		begin(i)
	}
	client := fleetClient(t, b.url(), public, remote.NATSOptions{Timeout: time.Minute})
	answers(t, client, stored(t, cheap))
	callers, stop := under(t, client)
	more := func() {
		sum := func() (n int64) {
			for _, c := range callers {
				n += answered(c)
			}
			return n
		}
		from := sum()
		eventually(t, "50 more calls are answered", func() bool { return t.Failed() || sum() >= from+50 })
	}
	more()
	for _, fault := range []struct {
		begin, end func()
		others     bool // can answer meanwhile
	}{
		{func() { end(1, syscall.SIGKILL) }, func() { begin(1) }, true},
		{func() { workers[2].signal(syscall.SIGSTOP) }, func() { workers[2].signal(syscall.SIGCONT) }, true},
		{func() { workers[2].signal(syscall.SIGSTOP) }, func() { end(2, syscall.SIGKILL); begin(2) }, true},
		{func() { end(1, syscall.SIGTERM) }, func() { begin(1) }, true},
		{b.kill, func() { b.start("") }, false},
	} {
		fault.begin()
		if fault.others {
			more()
		}
		fault.end()
		more()
	}
	stop()
}
