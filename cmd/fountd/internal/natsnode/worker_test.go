// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package natsnode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"fount/cmd/fountd/internal/brokertest"
	"fount/internal/fleet"
	"fount/password"
	"fount/remote"
	"fount/remote/api"
	"fount/remote/natsconn"
)

// plain takes a password for a match if the stored hash is the same.
func plain(_ context.Context, path string, body []byte) (int, []byte) {
	q, err := api.DecodeVerifyRequest(body)
	if err != nil || path != api.PathVerify {
		p := api.NewProblem(api.ReasonInvalid, fmt.Sprintf("%s: %v", path, err), 0)
		return p.Status, p.JSON()
	}
	reply, _ := json.Marshal(api.VerifyReply{Match: string(q.Password) == q.Hash})
	return http.StatusOK, reply
}

func noWait() time.Duration { return 0 }

func newKey(t *testing.T) fleet.Key {
	t.Helper()
	k, err := fleet.NewKey(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// join makes a worker at an address.
func join(t *testing.T, address string, k fleet.Key, answer func(context.Context, string, []byte) (int, []byte), change func(*Options)) *Worker {
	t.Helper()
	o := Options{Answer: answer, Wait: noWait, Calls: 1000, Keys: []fleet.Key{k}, Subject: "f", URL: address, Build: "test", Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&o)
	}
	w, err := Join(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.nc.Close)
	until(t, "the worker is connected", w.Connected)
	flush(t, w.nc)
	return w
}

func dial(t *testing.T, address string, more ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(address, append(natsconn.Options(), more...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	until(t, "a connection", nc.IsConnected)
	return nc
}

func flush(t *testing.T, nc *nats.Conn) {
	t.Helper()
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
}

func client(t *testing.T, nc *nats.Conn, k fleet.Key, o remote.NATSOptions) *remote.NATSClient {
	t.Helper()
	o.Subject = "f"
	c, err := remote.NATS(natsconn.New(nc), k.Public().String(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

// all asks for a subject and returns every answer that comes until n have.
func all(t *testing.T, nc *nats.Conn, subject string, n int) (answers [][]byte) {
	t.Helper()
	inbox := nc.NewInbox()
	s, err := nc.SubscribeSync(inbox)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Unsubscribe()
	if err := nc.PublishRequest(subject, inbox, nil); err != nil {
		t.Fatal(err)
	}
	for range n {
		m, err := s.NextMsg(time.Minute)
		if err != nil {
			t.Fatalf("%s: %v", subject, err)
		}
		answers = append(answers, m.Data)
	}
	return answers
}

// until waits for what has no event.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// within fails if a thing that should come does not.
func within[T any](t *testing.T, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(time.Minute):
		t.Fatalf("not within a minute: %s", what)
	}
	return v
}

// lines is a log.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), text)
}

func verify(c *remote.NATSClient, given string) error {
	_, err := c.Verify(context.Background(), password.Login{}, []byte(given), "secret")
	return err
}

// A fleet answers, by workers that leave and come under load: no call is lost, and none refused because its worker was closing.
func TestLeave(t *testing.T) {
	b, k := brokertest.New(t, ""), newKey(t)
	slowly := func(ctx context.Context, path string, body []byte) (int, []byte) {
		time.Sleep(5 * time.Millisecond)
		return plain(ctx, path, body)
	}
	w := join(t, b.URL(), k, slowly, nil)
	c := client(t, dial(t, b.URL()), k, remote.NATSOptions{})
	ctx, stop := context.WithCancel(t.Context())
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for ctx.Err() == nil {
				if err := verify(c, "secret"); err != nil {
					t.Errorf("a call was refused: %v", err)
					return
				}
			}
		})
	}
	for range 5 {
		next := join(t, b.URL(), k, slowly, nil)
		until(t, "it is asked", func() bool { return t.Failed() || next.node.counts().Answered > 3 })
		if err := w.Leave(t.Context()); err != nil {
			t.Error(err)
		}
		w = next
	}
	stop()
	callers.Wait()
	if err := verify(c, "other"); !errors.Is(err, password.ErrMismatch) {
		t.Errorf("another password: %v", err)
	}
}

// A worker whose call does not end leaves with its context, and one whose broker is away at once.
func TestLeaveEnds(t *testing.T) {
	b, k := brokertest.New(t, ""), newKey(t)
	hung := make(chan struct{})
	begun := make(chan struct{}, 1)
	hangs := join(t, b.URL(), k, func(context.Context, string, []byte) (int, []byte) {
		begun <- struct{}{}
		<-hung
		return http.StatusOK, nil
	}, nil)
	other := join(t, b.URL(), newKey(t), plain, func(o *Options) { o.Subject = "g" })
	c := client(t, dial(t, b.URL()), k, remote.NATSOptions{})
	ended := make(chan error, 1)
	go func() { ended <- verify(c, "secret") }()
	within(t, "the call", begun)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := hangs.Leave(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want the context's error", err)
	}
	close(hung)
	b.Kill()
	until(t, "the broker is away", func() bool { return !other.Connected() })
	if err := other.Leave(t.Context()); err != nil {
		t.Errorf("without a broker: %v", err)
	}
	if err := within(t, "the call's end", ended); !errors.As(err, new(password.OverloadedError)) {
		t.Errorf("the call: %v", err)
	}
}

// A client with a key that the workers don't have is told so, and not that they are overloaded; keys that come are taken.
func TestOldKey(t *testing.T) {
	b, old, k := brokertest.New(t, ""), newKey(t), newKey(t)
	w := join(t, b.URL(), k, plain, nil)
	c := client(t, dial(t, b.URL()), old, remote.NATSOptions{})
	if err := verify(c, "secret"); err == nil || errors.As(err, new(password.OverloadedError)) || !strings.Contains(err.Error(), "does not have this key") {
		t.Errorf("an old key: %v", err)
	}
	w.SetKeys([]fleet.Key{k, old})
	if err := verify(c, "secret"); err != nil {
		t.Errorf("once the worker has it: %v", err)
	}
}

// A worker without room refuses unopened, and another is asked.
func TestNoRoom(t *testing.T) {
	b, k := brokertest.New(t, ""), newKey(t)
	gate := make(chan struct{})
	defer close(gate)
	full := join(t, b.URL(), k, func(context.Context, string, []byte) (int, []byte) { <-gate; return http.StatusOK, nil }, func(o *Options) { o.Calls = 1 })
	c := client(t, dial(t, b.URL()), k, remote.NATSOptions{})
	go verify(c, "secret")
	until(t, "it is full", func() bool { return full.node.counts().InFlight == 1 })
	if err := verify(c, "secret"); !errors.As(err, new(password.OverloadedError)) {
		t.Errorf("no room: %v", err)
	}
	other := join(t, b.URL(), k, plain, nil)
	for range 20 {
		until(t, "the other is heard", func() bool { return verify(c, "secret") == nil })
	}
	if s := full.node.counts(); s.Received != s.InFlight+s.Busy || s.Busy == 0 {
		t.Errorf("the full one's counts: %+v", s)
	}
	if s := other.node.counts(); s.Answered < 20 {
		t.Errorf("the other's counts: %+v", s)
	}
}

// The broker stops without a word: calls end by their deadline, and "no worker" comes at once when it is known to be away.
func TestBrokerGoes(t *testing.T) {
	b, k := brokertest.New(t, ""), newKey(t)
	join(t, b.URL(), k, plain, nil)
	nc := dial(t, b.URL())
	c := client(t, nc, k, remote.NATSOptions{})
	if err := verify(c, "secret"); err != nil {
		t.Fatal(err)
	}
	b.Kill()
	until(t, "the client knows", func() bool { return errors.Is(verify(c, "secret"), remote.ErrNoWorker) })
	b.Start("")
	until(t, "it is back", func() bool { return verify(c, "secret") == nil })
}

// A worker answers PING, INFO and STATS of NATS's micro services.
func TestMicro(t *testing.T) {
	b := brokertest.New(t, "")
	w := join(t, b.URL(), newKey(t), plain, nil)
	for _, subject := range []string{"$SRV.PING", "$SRV.INFO.fountd", "$SRV.STATS.fountd"} {
		if answer := all(t, dial(t, b.URL()), subject, 1)[0]; !strings.Contains(string(answer), w.node.id.String()) {
			t.Errorf("%s: %s", subject, answer)
		}
	}
}

// A broker that is away is logged once, and not at each attempt.
func TestFaultsAreLoggedOnce(t *testing.T) {
	b, log := brokertest.New(t, ""), &lines{}
	w := join(t, b.URL(), newKey(t), plain, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(log, nil)) })
	b.Kill()
	until(t, "it is away", func() bool { return !w.Connected() && log.count("nats away") > 0 })
	b.Start("")
	until(t, "it is back", w.Connected)
	if n := log.count("nats away"); n > 3 {
		t.Errorf("%d lines", n)
	}
}
