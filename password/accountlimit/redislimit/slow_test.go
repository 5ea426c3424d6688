// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package redislimit

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"

	"fount/internal/test/socketdir"
	"fount/password"
)

// A holdup stands before a Redis and holds its answers back while it is closed.
type holdup struct {
	socket string
	mu     sync.RWMutex // write-locked: closed
}

func newHoldup(t *testing.T, upstream string) *holdup {
	t.Helper()
	h := &holdup{socket: filepath.Join(socketdir.New(t), "holdup")}
	listener, err := net.Listen("unix", h.socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("unix", upstream)
			if err != nil {
				client.Close()
				continue
			}
			go func() { io.Copy(server, client); server.Close() }()
			go func() { io.Copy(held{client, h}, server); client.Close() }()
		}
	}()
	return h
}

type held struct {
	net.Conn
	*holdup
}

func (c held) Write(b []byte) (int, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.Conn.Write(b)
}

// ended counts the calls of scripts that have ended.
type ended struct{ scripts atomic.Int64 }

func (e *ended) DialHook(next redis.DialHook) redis.DialHook { return next }
func (e *ended) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}
func (e *ended) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if cmd.Name() == "evalsha" {
			e.scripts.Add(1)
		}
		return err
	}
}

// A Redis that is silent holds nobody up for longer than the Timeout, whatever the client's own timeouts are. What it counts too
// late it has given back: the client has all guesses left, or all but one (see giveBack).
func TestSilentRedis(t *testing.T) {
	s := start(t)
	if err := guess(t, newLimiter(t, s, Options{}), "nobody", "nowhere"); err != nil { // which loads the script
		t.Fatal(err)
	}
	h := newHoldup(t, s.client.Options().Addr)
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: h.socket, MaxRetries: -1, DialTimeout: patient, ReadTimeout: patient})
	defer client.Close()
	calls := &ended{}
	client.AddHook(calls)
	var told atomic.Int64
	l := newLimiter(t, server{client: client}, Options{Limits: hourly, Timeout: time.Millisecond, OnError: func(err error) {
		if !errors.Is(err, errLate) {
			t.Error(err)
		}
		told.Add(1)
	}})
	h.mu.Lock()
	gaveUp := time.AfterFunc(longest/2, h.mu.Unlock) // else the unmended Begin waits for as long as the client does
	attempts := int64(hourly.Client.Failures)
	for range attempts {
		l.asksAt.Store(0)
		a, err := l.Begin(t.Context(), "ada", "home")
		if err != nil || a.local == nil {
			t.Fatalf("%+v, %v; want an attempt that counts here", a, err)
		}
		a.End(password.OverloadedError{})
		if l.asksAt.Load() == 0 {
			t.Error("all would ask it at once")
		}
	}
	if err := l.Trust(t.Context(), "bob", "home"); !errors.Is(err, errLate) {
		t.Errorf("Trust: %v; want that it came too late", err)
	}
	if !gaveUp.Stop() {
		t.Fatal("Begin waited for as long as the client does")
	}
	h.mu.Unlock()
	if told.Load() != attempts {
		t.Errorf("%d errors were told; want one for each attempt", told.Load())
	}
	for end := time.Now().Add(patient); calls.scripts.Load() < 4*attempts; time.Sleep(time.Millisecond) { // counted twice, and given back
		if time.Now().After(end) {
			t.Fatalf("%d scripts have ended; want 4 for each attempt", calls.scripts.Load())
		}
	}
	for kind, limit := range map[string]redis_rate.Limit{"client:": l.client, "account:": l.account} {
		client := ""
		if kind == "client:" {
			client = "home"
		}
		left, err := l.rate.AllowN(t.Context(), l.key(kind, "ada", client), limit, 0)
		if err != nil || left.Remaining < limit.Burst-1 {
			t.Errorf("%s%+v, %v; want all %d guesses left, or all but one", kind, left, err, limit.Burst)
		}
	}
}

// After Redis has not answered, one attempt a second asks it, and once it answers all do.
func TestAsksAgain(t *testing.T) {
	l := newLimiter(t, start(t), Options{})
	const at = 5 * time.Second
	l.asksAt.Store(int64(at))
	if ask, _ := l.asks(at - 1); ask {
		t.Error("it is asked within the second")
	}
	for second := range time.Duration(3) {
		var asking atomic.Int64
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if ask, again := l.asks(at + second*pause); ask && again {
					asking.Add(1)
				}
			})
		}
		all.Wait()
		if asking.Load() != 1 {
			t.Errorf("%d of 100 attempts ask again; want 1", asking.Load())
		}
	}
	l.asksAt.Store(1)
	if a, err := l.Begin(t.Context(), "ada", "home"); err != nil || a.local != nil || l.asksAt.Load() != 0 {
		t.Errorf("%+v, %v, next at %d; want Redis's own answer, and all to ask", a, err, l.asksAt.Load())
	}
}
