// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package daemon

// Three workers of a fleet, which end, stop and come back under their clients' calls.

import (
	"context"
	"errors"
	"os"
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

// A group is a broker and workers beside it, which are processes.
type group struct {
	t       testing.TB
	key     string
	public  string
	broker  *broker
	workers []*process
}

func openGroup(t testing.TB) *group {
	t.Helper()
	f := &group{t: t, key: filepath.Join(t.TempDir(), "fleet.key"), broker: newBroker(t, ""), workers: make([]*process, 3)}
	f.public = fleetKey(t, "new", f.key)
	for i := range f.workers {
		f.start(i)
	}
	return f
}

// start starts a worker, for the first time or again.
func (f *group) start(i int) {
	f.t.Helper()
	f.workers[i] = startIn(f.t, socketdir.New(f.t), nil, "--policy", "bcrypt,cost=8", "--max-wait", "20s", "--memory", "256M", "--nats-key", f.key, "--nats", f.broker.url())
	f.workers[i].said("nats connected")
}

func (f *group) signal(i int, s os.Signal) { f.workers[i].signal(s) }

// A tally counts calls by their end.
type tally struct{ submitted, answered, refused atomic.Int64 }

// call makes calls of right and wrong passwords by turns until ctx ends. Each has a deadline that a
// busy machine keeps: one that passes is a call that was lost.
func (n *tally) call(ctx context.Context, t *testing.T, c *remote.NATSClient, encoded string) {
	for right := true; ctx.Err() == nil; right = !right {
		given, want := "secret", error(nil)
		if !right {
			given, want = "other", password.ErrMismatch
		}
		deadline, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		n.submitted.Add(1)
		_, err := c.Verify(deadline, password.Login{Principal: "192.0.2.1"}, []byte(given), encoded)
		cancel()
		switch {
		case errors.Is(err, want):
			n.answered.Add(1)
		case errors.As(err, new(password.OverloadedError)), errors.Is(err, password.ErrClosed):
			n.refused.Add(1)
			time.Sleep(time.Millisecond) // a client that comes back
		default:
			t.Errorf("password %q: %v", given, err)
			return
		}
	}
}

// more waits until so many more calls have been answered.
func (n *tally) more(t *testing.T, calls int64) {
	t.Helper()
	calls += n.answered.Load()
	eventually(t, "calls are answered", func() bool { return t.Failed() || n.answered.Load() >= calls })
}

// Whatever befalls one of three workers, or the broker, each call ends by a true answer or by a
// refusal, and calls are answered again when it is over.
func TestFleetFaults(t *testing.T) {
	f := openGroup(t)
	client := fleetClient(t, f.broker.url(), f.public, remote.NATSOptions{Timeout: time.Minute})
	encoded := stored(t, cheap)
	answers(t, client, encoded)

	var n tally
	var callers sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	defer callers.Wait()
	defer stop()
	for range 8 {
		callers.Go(func() { n.call(ctx, t, client, encoded) })
	}
	n.more(t, 50)
	for _, fault := range []struct {
		name       string
		begin, end func()
		others     bool // can answer meanwhile
	}{
		{"a worker is killed", func() { f.signal(1, syscall.SIGKILL); f.workers[1].end() }, func() { f.start(1) }, true},
		{"a worker stands still", func() { f.signal(2, syscall.SIGSTOP) }, func() { f.signal(2, syscall.SIGCONT) }, true},
		{"a worker stands still and dies", func() { f.signal(2, syscall.SIGSTOP) },
			func() { f.signal(2, syscall.SIGKILL); f.workers[2].end(); f.start(2) }, true},
		{"a worker leaves", func() { f.signal(1, syscall.SIGTERM); f.workers[1].end() }, func() { f.start(1) }, true},
		{"the broker is killed", f.broker.kill, func() { f.broker.start("") }, false},
	} {
		before := n.refused.Load()
		fault.begin()
		if fault.others {
			n.more(t, 50)
		}
		fault.end()
		n.more(t, 50)
		t.Logf("%s: %d refused", fault.name, n.refused.Load()-before)
	}
	stop()
	callers.Wait()
	if sum := n.answered.Load() + n.refused.Load(); n.submitted.Load() != sum && !t.Failed() {
		t.Errorf("of %d calls %d ended", n.submitted.Load(), sum)
	}
	t.Logf("%d calls, %d refused", n.submitted.Load(), n.refused.Load())
}
