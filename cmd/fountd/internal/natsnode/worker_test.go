// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package natsnode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
	"github.com/prometheus/client_golang/prometheus"

	"fount/cmd/fountd/internal/fleetnode"
	"fount/internal/fleet"
	"fount/password"
	"fount/remote"
	"fount/remote/natsconn"
)

// plain takes a password for a match if the stored hash is the same.
type plain struct{}

func (plain) Verify(_ context.Context, _ password.Login, secret []byte, encoded string) (password.Result, error) {
	if string(secret) != encoded {
		return password.Result{}, password.ErrMismatch
	}
	return password.Result{}, nil
}

func (plain) Hash(_ context.Context, _ password.Login, secret []byte) (string, error) {
	return string(secret), nil
}

func newKey(t *testing.T) fleet.Key {
	t.Helper()
	k, err := fleet.NewKey(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func joinable(t *testing.T, k fleet.Key, hasher password.Verifier) *fleetnode.Node {
	t.Helper()
	node, err := fleetnode.New(fleetnode.Options{Hasher: hasher, Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 10}, Calls: 1000}, k)
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// join makes a worker at an address.
func join(t *testing.T, address string, k fleet.Key, hasher password.Verifier, change func(*Options)) (*Worker, *fleetnode.Node) {
	t.Helper()
	node := joinable(t, k, hasher)
	o := Options{Node: node, Subject: "f", URL: "nats://" + address, Build: "test", Log: slog.New(slog.DiscardHandler)}
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
	return w, node
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

// request asks at a subject, and wants a match.
func request(t *testing.T, nc *nats.Conn, k fleet.Key, subject string) {
	t.Helper()
	c := fleet.NewClient(k.Public())
	defer c.Wipe()
	b, pending, err := c.Seal(time.Now(), fleet.Request{Kind: fleet.Verify, Password: []byte("a"), Encoded: "a", Left: time.Minute / 2})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := natsconn.New(nc).Request(t.Context(), subject, b)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := pending.Open(time.Now(), reply); err != nil || r.Verdict != fleet.Match {
		t.Errorf("%+v, %v", r, err)
	}
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

// A worker answers as ADR-32 of NATS says: to all services, to those of its name, and to its own ID.
func TestMicro(t *testing.T) {
	eachBroker(t, func(t *testing.T, b running) {
		address, k := b.start(t, ""), newKey(t)
		ids := map[string]bool{}
		for range 2 {
			join(t, address, k, plain{}, nil)
		}
		nc := dial(t, address)
		request(t, nc, k, "f.any")
		for _, subject := range []string{"$SRV.PING", "$SRV.PING.fountd"} {
			for _, answer := range all(t, nc, subject, 2) {
				var ping micro.Ping
				if err := json.Unmarshal(answer, &ping); err != nil || ping.Type != micro.PingResponseType || ping.Name != "fountd" || ping.Version != "1.0.0" ||
					len(ping.Metadata["worker"]) != 16 || ping.Metadata["build"] != "test" {
					t.Errorf("%s: %s, %v", subject, answer, err)
				}
				ids[ping.ID] = true
			}
		}
		if len(ids) != 2 {
			t.Errorf("%d IDs for 2 workers", len(ids))
		}
		requests := 0
		for id := range ids {
			var info micro.Info
			answer := all(t, nc, "$SRV.INFO.fountd."+id, 1)[0]
			if err := json.Unmarshal(answer, &info); err != nil || info.Type != micro.InfoResponseType || info.ID != id || len(info.Endpoints) != 1 ||
				info.Endpoints[0].Subject != "f.any" || info.Endpoints[0].QueueGroup != fleet.Group {
				t.Errorf("INFO: %s, %v", answer, err)
			}
			var stats micro.Stats
			answer = all(t, nc, "$SRV.STATS.fountd."+id, 1)[0]
			if err := json.Unmarshal(answer, &stats); err != nil || stats.Type != micro.StatsResponseType || len(stats.Endpoints) != 1 {
				t.Fatalf("STATS: %s, %v", answer, err)
			}
			var counts fleetnode.Stats
			if err := json.Unmarshal(stats.Endpoints[0].Data, &counts); err != nil || counts.Received != uint64(stats.Endpoints[0].NumRequests) {
				t.Errorf("STATS: %s, %v", answer, err)
			}
			requests += stats.Endpoints[0].NumRequests
		}
		if requests != 1 {
			t.Errorf("the workers count %d requests; want the one that was sent", requests)
		}
	})
}

// A worker's news come when it is there, again when the broker is, and say at last that it drains.
func TestNews(t *testing.T) {
	eachBroker(t, func(t *testing.T, b running) {
		address, k := b.start(t, ""), newKey(t)
		nc := dial(t, address)
		heard := make(chan fleet.News, 1000)
		stop, err := natsconn.New(nc).Subscribe(fleet.Subject("f").News(), func(m []byte) {
			n, err := fleet.ParseNews(m)
			if err != nil {
				t.Error(err)
			}
			heard <- n
		})
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		flush(t, nc)
		w, node := join(t, address, k, plain{}, nil)
		for range 3 {
			if n := within(t, "news", heard); n.Worker != node.ID() || n.Draining {
				t.Errorf("%+v", n)
			}
		}
		b.kill()
		until(t, "the connection is away", func() bool { return !w.Connected() })
		for len(heard) > 0 {
			<-heard
		}
		b.start(t, "")
		within(t, "news after the broker came back", heard)
		if err := w.Leave(t.Context()); err != nil {
			t.Fatal(err)
		}
		flush(t, nc)
		last := fleet.News{}
		for !last.Draining {
			last = within(t, "news of the drain", heard)
		}
		for len(heard) > 0 {
			if n := <-heard; !n.Draining {
				t.Errorf("other news after those of the drain: %+v", n)
			}
		}
	})
}

// What is sent to one worker alone gets there, with a reply or, as a cancel, without.
func TestOwnSubject(t *testing.T) {
	eachBroker(t, func(t *testing.T, b running) {
		address, k := b.start(t, ""), newKey(t)
		_, node := join(t, address, k, plain{}, nil)
		join(t, address, k, plain{}, nil)
		nc, own := dial(t, address), fleet.Subject("f").Worker(node.ID())
		const n = 20
		for range n {
			request(t, nc, k, own)
		}
		until(t, "all are counted, each behind its reply", func() bool { return node.Stats().InFlight == 0 })
		if s := node.Stats(); s.Answered != n {
			t.Errorf("%+v; want %d answered by this one", s, n)
		}
		if err := nc.Publish(own, []byte("without a reply")); err != nil {
			t.Fatal(err)
		}
		until(t, "it has arrived", func() bool { return node.Stats().Received == n+1 })
	})
}

// slowly is plain with a hash that takes time.
type slowly struct{ plain }

func (slowly) Verify(ctx context.Context, l password.Login, secret []byte, encoded string) (password.Result, error) {
	time.Sleep(time.Millisecond)
	return plain{}.Verify(ctx, l, secret, encoded)
}

// Workers leave and others come, under load: no request is lost, and none refused because its worker was closing. A call may find
// nobody, because nats-server looked up the group before the new worker joined and delivered after the old one had left.
func TestLeave(t *testing.T) {
	eachBroker(t, func(t *testing.T, b running) {
		address, k := b.start(t, ""), newKey(t)
		c := client(t, dial(t, address), k, remote.NATSOptions{Timeout: 30 * time.Second, Silence: time.Minute})
		w, _ := join(t, address, k, slowly{}, nil)
		var callers sync.WaitGroup
		var over atomic.Bool
		var refused atomic.Uint64
		for range 20 {
			callers.Go(func() {
				for !over.Load() {
					_, err := c.Verify(t.Context(), password.Login{}, []byte("a"), "a")
					switch {
					case err != nil && strings.Contains(err.Error(), "no worker listens"):
						refused.Add(1)
					case err != nil:
						t.Error(err)
						return
					}
				}
			})
		}
		for range 10 {
			next, _ := join(t, address, k, slowly{}, nil)
			if err := w.Leave(t.Context()); err != nil {
				t.Error(err)
			}
			if s := w.node.Stats(); s.InFlight != 0 || s.Received != s.Answered+s.Overloaded+s.Expired+s.Canceled+s.Failed+s.Busy+s.Late+s.Repeated+s.Unreadable {
				t.Errorf("%+v", s)
			}
			w = next
		}
		over.Store(true)
		callers.Wait()
		if s := c.Stats(); s.Answered == 0 || s.Answered+refused.Load() != s.Submitted {
			t.Errorf("%+v", s)
		}
	})
}

// A worker that has said that it drains serves those who have not heard it yet.
func TestLeaveServesTheLate(t *testing.T) {
	eachBroker(t, func(t *testing.T, b running) {
		address, k := b.start(t, ""), newKey(t)
		w, node := join(t, address, k, plain{}, nil)
		nc := dial(t, address)
		w.late = time.Hour
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() { left <- w.Leave(ctx) }()
		until(t, "it has left the queue group", w.service.Stopped)
		request(t, nc, k, fleet.Subject("f").Worker(node.ID()))
		cancel()
		if err := within(t, "it leaves", left); err != nil {
			t.Error(err)
		}
	})
}

// A worker whose broker is away leaves at once, and so does one without time and without calls; one whose call does not end leaves with its context.
func TestLeaveEnds(t *testing.T) {
	b := &embedded{}
	address, k := b.start(t, ""), newKey(t)
	w, _ := join(t, address, k, plain{}, nil)
	b.kill()
	until(t, "the connection is away", func() bool { return !w.Connected() })
	if err := w.Leave(t.Context()); err != nil {
		t.Error(err)
	}
	b.start(t, "")
	gone, stop := context.WithCancel(t.Context())
	stop()
	for range 20 { // a choice of two ways must not be left to luck
		w, _ = join(t, address, k, plain{}, nil)
		if err := w.Leave(gone); err != nil {
			t.Errorf("no time, and nothing in flight: %v", err)
		}
	}
	h := hangs{begun: make(chan struct{}), release: make(chan struct{})}
	defer close(h.release)
	w, _ = join(t, address, k, h, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go client(t, dial(t, address), k, remote.NATSOptions{}).Hash(ctx, password.Login{}, []byte("a"))
	within(t, "the call arrives", h.begun)
	cancel()
	if err := w.Leave(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v; want the context's", err)
	}
}

type hangs struct {
	plain
	begun, release chan struct{}
}

func (h hangs) Hash(context.Context, password.Login, []byte) (string, error) {
	h.begun <- struct{}{}
	<-h.release
	return "", nil
}

// A broker that is away is logged once, however many URLs there are and attempts at them; so is what the broker does not permit.
func TestFaultsAreLoggedOnce(t *testing.T) {
	b := &embedded{}
	address := b.start(t, "")
	log := &lines{}
	w, _ := join(t, address, newKey(t), plain{}, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(log, nil)) })
	for i := range 100 {
		for _, port := range []string{"1", "2", "3"} {
			w.failed(w.nc, fmt.Errorf("dial tcp 127.0.0.1:%s: connection refused", port))
			w.failed(w.nc, fmt.Errorf("read tcp 127.0.0.1:%d: connection reset by peer", i)) // its own port is another each time
		}
		w.nc.Opts.AsyncErrorCB(w.nc, nil, nats.ErrPermissionViolation)
	}
	if n := log.count("level=WARN") + log.count("level=ERROR"); n != maxFaults {
		t.Errorf("%d lines; want %d", n, maxFaults)
	}
	for _, port := range []string{"1", "2", "3"} {
		if log.count("127.0.0.1:"+port+": connection refused") != 1 {
			t.Errorf("of port %s there are %d lines", port, log.count("127.0.0.1:"+port+": connection refused"))
		}
	}
	b.kill()
	until(t, "the connection is away", func() bool { return !w.Connected() })
	b.start(t, "")
	until(t, "the connection is back", func() bool { return log.count("nats connected") == 2 })
	w.failed(w.nc, errors.New("anew"))
	if log.count("error=anew") != 1 {
		t.Error("a fault after the broker came back is not logged")
	}
}

// Messages that nats.go drops are counted, also once the worker has left, whether or not somebody asked before, and logged
// once; those that come later are answered.
func TestDrops(t *testing.T) {
	for name, asked := range map[string]bool{"asked": true, "unasked": false} {
		t.Run(name, func(t *testing.T) { eachBroker(t, func(t *testing.T, b running) { countDrops(t, b, asked) }) })
	}
}

func countDrops(t *testing.T, b running, asked bool) {
	log := &lines{}
	address, k := b.start(t, ""), newKey(t)
	w, node := join(t, address, k, plain{}, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(log, nil)) })
	nc := dial(t, address)
	subject := fleet.Subject("f").Worker(node.ID())
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(w)
	counted := func() float64 {
		families, err := metrics.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			if f.GetName() == "fountd_nats_messages_dropped_total" {
				return f.GetMetric()[0].GetCounter().GetValue()
			}
		}
		return -1
	}
	if n := counted(); n != 0 {
		t.Errorf("%v messages dropped before any; want 0", n)
	}
	tooLong := func(times int) {
		for range times {
			if err := nc.Publish(subject, []byte("too long")); err != nil {
				t.Fatal(err)
			}
		}
		flush(t, nc)
		flush(t, w.nc)
	}
	for i := range 2 { // it begins twice
		if err := w.own.SetPendingLimits(-1, 1); err != nil { // in bytes: no message fits
			t.Fatal(err)
		}
		tooLong(1)
		until(t, "nats.go has said that it drops", func() bool {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.slow[w.own] == uint64(5*i+1)
		})
		tooLong(4) // of which it says nothing
		if err := w.own.SetPendingLimits(-1, -1); err != nil {
			t.Fatal(err)
		}
		request(t, nc, k, subject)
	}
	if asked {
		if n := counted(); n != 10 {
			t.Errorf("%v messages dropped, says the worker; want 10", n)
		}
	}
	if err := w.Leave(t.Context()); err != nil {
		t.Error(err)
	}
	if n := counted(); n != 10 {
		t.Errorf("%v messages dropped, says a worker that has left; want 10", n)
	}
	until(t, "the log has one line of it", func() bool { return log.count("slow consumer") == 1 })
	if s := node.Stats(); s.Received != 2 || s.Answered != 2 {
		t.Errorf("%+v; want the two requests that fitted", s)
	}
}

// What the worker's own subject has dropped is counted also if nats.go comes to say so only after the worker has left.
func TestDropsSaidLate(t *testing.T) {
	eachBroker(t, func(t *testing.T, b running) {
		stuck := make(gate)
		address, k := b.start(t, ""), newKey(t)
		w, node := join(t, address, k, plain{}, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(stuck, nil)) })
		if err := w.own.SetPendingLimits(-1, 1); err != nil {
			t.Fatal(err)
		}
		nc := dial(t, address)
		for range 5 {
			if err := nc.Publish(fleet.Subject("f").Worker(node.ID()), []byte("too long")); err != nil {
				t.Fatal(err)
			}
		}
		flush(t, nc)
		flush(t, w.nc)
		if err := w.Leave(t.Context()); err != nil {
			t.Error(err)
		}
		close(stuck)
		until(t, "nats.go has said that it dropped", func() bool {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.faults[nats.ErrSlowConsumer.Error()]
		})
		if n := w.dropped(); n != 5 {
			t.Errorf("%d messages dropped; want 5", n)
		}
	})
}

// A gate is a log that takes no line, and so holds up nats.go's callbacks, until it is closed.
type gate chan struct{}

func (g gate) Write(b []byte) (int, error) {
	<-g
	return len(b), nil
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

// A broker that can't be is said so at once.
func TestOptions(t *testing.T) {
	node, _ := fleetnode.New(fleetnode.Options{Hasher: plain{}, Calls: 1}, newKey(t))
	for want, o := range map[string]Options{
		"no such file":    {NKey: "/nowhere/seed"},
		"nowhere/ca.pem":  {CA: "/nowhere/ca.pem"},
		"invalid control": {URL: "nats://\x01"},
	} {
		o.Node, o.Subject, o.Log = node, "f", slog.New(slog.DiscardHandler)
		if o.URL == "" {
			o.URL = "nats://127.0.0.1:1"
		}
		if w, err := Join(o); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; want one line with %q", err, want)
			if w != nil {
				w.nc.Close()
			}
		}
	}
}
