// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleetnode

// Clients of fount/remote and nodes, with a broker between that loses, repeats and kills.

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/fleet"
	"fount/password"
	"fount/remote"
)

// hashes is a hasher with one worker for each of room: an answer takes a tenth of a second, and is due after as long again.
type hashes struct {
	room chan struct{}
}

const each = 100 * time.Millisecond

func (h hashes) do(ctx context.Context) error {
	select {
	case h.room <- struct{}{}:
	default:
		return password.OverloadedError{After: 3 * time.Second}
	}
	defer func() { <-h.room }()
	select {
	case <-time.After(each):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h hashes) Verify(ctx context.Context, _ password.Login, secret []byte, encoded string) (password.Result, error) {
	if encoded == "malformed" {
		return password.Result{}, password.ErrMalformed
	}
	if err := h.do(ctx); err != nil {
		return password.Result{}, err
	}
	if string(secret) != encoded {
		return password.Result{}, password.ErrMismatch
	}
	return password.Result{NeedsRehash: true}, nil
}

// estimates are those of a pool that has measured.
func (h hashes) estimates() password.Estimates {
	wait := time.Duration(0)
	if len(h.room) == cap(h.room) {
		wait = each
	}
	return password.Estimates{Wait: wait, Kinds: []password.Estimate{{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 10}, Alone: each, Drain: each / time.Duration(cap(h.room))}}}
}

func (h hashes) Hash(ctx context.Context, login password.Login, secret []byte) (string, error) {
	if err := h.do(ctx); err != nil {
		return "", err
	}
	return login.Class.String() + ":" + string(secret), nil
}

// testBroker hands requests to the member that they name, or to one at random.
type testBroker struct {
	mu      sync.Mutex
	members []*member
	rng     *rand.Rand
	away    bool
	lost    chan struct{} // closed when the connection is
	receive []func([]byte)
	tap     func(request, reply []byte)
	twice   bool // each request goes to its worker again
}

// A member is a worker as the broker sees it.
type member struct {
	node *Node
	dead chan struct{} // closed when its process is killed
}

// to returns who gets a message. b.mu is held.
func (b *testBroker) to(subject string) *member {
	if b.away || len(b.members) == 0 {
		return nil
	}
	const fleetwide = fleet.Subject(remote.DefaultSubject)
	if subject == fleetwide.Any() {
		return b.members[b.rng.IntN(len(b.members))]
	}
	for _, m := range b.members {
		if subject == fleetwide.Worker(m.node.ID()) {
			return m
		}
	}
	return nil
}

func (b *testBroker) Request(ctx context.Context, subject string, request []byte) ([]byte, error) {
	b.mu.Lock()
	m := b.to(subject)
	twice, tap, lost := b.twice, b.tap, b.lost
	b.mu.Unlock()
	if m == nil {
		return nil, remote.ErrNoWorker
	}
	answered := make(chan []byte, 2)
	m.node.Handle(time.Now(), request, func(reply []byte) { answered <- reply })
	if twice {
		time.AfterFunc(time.Millisecond, func() { m.node.Handle(time.Now(), request, func([]byte) {}) })
	}
	select {
	case reply := <-answered:
		select {
		case <-m.dead:
		default:
			if tap != nil {
				tap(request, reply)
			}
			return reply, nil
		}
	case <-lost:
		return nil, errors.New("the connection is lost")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	<-ctx.Done() // it died with the answer
	return nil, ctx.Err()
}

func (b *testBroker) Subscribe(_ string, receive func([]byte)) (func(), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.receive = append(b.receive, receive)
	return func() {}, nil
}

func (b *testBroker) Publish(subject string, message []byte) error {
	b.mu.Lock()
	m := b.to(subject)
	b.mu.Unlock()
	if m != nil {
		m.node.Handle(time.Now(), message, func([]byte) { panic("a reply to what asks for none") })
	}
	return nil
}

// publish has a member's news go to all clients.
func (b *testBroker) publish(ctx context.Context, m *member) {
	for {
		b.mu.Lock()
		receive := b.receive
		if b.away {
			receive = nil
		}
		b.mu.Unlock()
		for _, r := range receive {
			r(m.node.News(time.Now()))
		}
		select {
		case <-time.After(Every):
		case <-m.dead:
			return
		case <-ctx.Done():
			return
		}
	}
}

// leave takes the connection away, or gives it back.
func (b *testBroker) leave(away bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.away = away; away {
		close(b.lost)
		b.lost = make(chan struct{})
	}
}

func (b *testBroker) kill(m *member) {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(m.dead)
	for i, other := range b.members {
		if other == m {
			b.members = append(b.members[:i:i], b.members[i+1:]...)
		}
	}
}

type testFleet struct {
	key    fleet.Key
	broker *testBroker
}

func newTestFleet(t *testing.T) *testFleet {
	t.Helper()
	k, err := fleet.NewKey(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return &testFleet{k, &testBroker{rng: rand.New(rand.NewPCG(7, 8)), lost: make(chan struct{})}}
}

func (f *testFleet) start(t *testing.T, room, calls int) *member {
	t.Helper()
	h := hashes{make(chan struct{}, room)}
	node, err := New(Options{Hasher: h, Estimates: h.estimates, Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 10}, Calls: calls}, f.key)
	if err != nil {
		t.Fatal(err)
	}
	m := &member{node, make(chan struct{})}
	f.broker.mu.Lock()
	f.broker.members = append(f.broker.members, m)
	f.broker.mu.Unlock()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() {
		cancel()
		time.Sleep(time.Minute) // all goroutines end
	})
	go f.broker.publish(ctx, m)
	return m
}

func (f *testFleet) client(t *testing.T, o remote.NATSOptions) *remote.NATSClient {
	t.Helper()
	c, err := remote.NATS(f.broker, f.key.Public().String(), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var caller = password.Login{Principal: "192.0.2.7", Class: password.ClassChangePassword}

func (s Stats) sum() uint64 {
	return s.InFlight + s.Answered + s.Overloaded + s.Expired + s.Canceled + s.Failed + s.Busy + s.Late + s.Repeated + s.Unreadable
}

// A client gets what the worker's hasher answers.
func TestAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newTestFleet(t)
		m := f.start(t, 1, 10)
		c := f.client(t, remote.NATSOptions{})
		if r, err := c.Verify(t.Context(), caller, []byte("p"), "p"); err != nil || !r.NeedsRehash {
			t.Errorf("%+v, %v", r, err)
		}
		if _, err := c.Verify(t.Context(), caller, []byte("p"), "q"); err != password.ErrMismatch {
			t.Errorf("%v; want ErrMismatch", err)
		}
		if _, err := c.Verify(t.Context(), caller, []byte("p"), "malformed"); !errors.Is(err, password.ErrMalformed) {
			t.Errorf("%v; want ErrMalformed", err)
		}
		if encoded, err := c.Hash(t.Context(), caller, []byte("p")); err != nil || encoded != "change_password:p" && encoded != caller.Class.String()+":p" {
			t.Errorf("%q, %v", encoded, err)
		}
		synctest.Wait()
		if s := m.node.Stats(); s.Answered != 4 || s.Received != 4 || s.sum() != 4 {
			t.Errorf("%+v; want 4 answered", s)
		}
	})
}

// ask sends one request as a client does and returns its reply.
func ask(t *testing.T, c *fleet.Client, n *Node, r fleet.Request) (fleet.Reply, error) {
	t.Helper()
	b, p, err := c.Seal(time.Now(), r)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan []byte, 1)
	n.Handle(time.Now(), b, func(reply []byte) { got <- reply })
	reply := <-got
	synctest.Wait() // a node has a request's place until its reply is out, so that Drain loses none
	return p.Open(time.Now(), reply)
}

// An upgrade makes a new hash of class Rehash if there is room and time, and the match counts without one.
func TestUpgrade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newTestFleet(t)
		n, c := f.start(t, 1, 10).node, fleet.NewClient(f.key.Public())
		r := fleet.Request{Kind: fleet.Verify, Left: time.Second, Password: []byte("p"), Encoded: "p", Upgrade: true}
		if got, err := ask(t, c, n, r); err != nil || got.Verdict != fleet.Match || got.Encoded != password.ClassRehash.String()+":p" {
			t.Errorf("%+v, %v; want a new hash", got, err)
		}
		r.Left = each * 3 / 2
		if got, err := ask(t, c, n, r); err != nil || got.Verdict != fleet.Match || got.Encoded != "" {
			t.Errorf("%+v, %v; want a match without a hash, as there was no time", got, err)
		}
		r.Left = each / 2
		if got, err := ask(t, c, n, r); err != nil || got.Verdict != fleet.Expired {
			t.Errorf("%+v, %v; want Expired", got, err)
		}
		if got, err := ask(t, c, n, r); err != nil || got.Policy != (fleet.Cost{Algorithm: 1, Size: 10}) {
			t.Errorf("the policy costs %+v, %v; want bcrypt 10", got.Policy, err)
		}
	})
}

// What a worker has no room for it refuses: beyond Calls by the header, beyond the pool under seal.
func TestNoRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newTestFleet(t)
		m := f.start(t, 1, 1)
		c := f.client(t, remote.NATSOptions{Route: remote.QueueGroup})
		done := make(chan error)
		go func() { _, err := c.Verify(t.Context(), caller, []byte("p"), "p"); done <- err }()
		synctest.Wait()
		start := time.Now()
		_, err := c.Verify(t.Context(), caller, []byte("p"), "p")
		if o, ok := errors.AsType[password.OverloadedError](err); !ok || o.After != retry || time.Since(start) != 0 {
			t.Errorf("%v after %v; want OverloadedError at once", err, time.Since(start))
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if s := m.node.Stats(); s.Busy != 2 || s.Answered != 1 {
			t.Errorf("%+v; want 2 refused by their headers", s)
		}
	})
}

// A worker that drains sends its clients to another and ends what it has.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newTestFleet(t)
		m := f.start(t, 10, 10)
		c := f.client(t, remote.NATSOptions{})
		done := make(chan error)
		go func() { _, err := c.Verify(t.Context(), caller, []byte("p"), "p"); done <- err }()
		synctest.Wait()
		short, cancel := context.WithTimeout(t.Context(), each/2)
		defer cancel()
		if err := m.node.Drain(short); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Drain: %v; want the context's error", err)
		}
		f.start(t, 10, 10)
		for range 20 { // half of the first requests find the one that drains
			if _, err := c.Verify(t.Context(), caller, []byte("p"), "p"); err != nil && !errors.As(err, new(password.OverloadedError)) {
				t.Error(err)
			}
		}
		if err := <-done; err != nil {
			t.Errorf("a request in flight: %v", err)
		}
		if err := m.node.Drain(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A fleet under load while workers are killed and come back, the broker goes away, and every request is sent twice: each call
// ends once within its deadline, all is counted, and afterwards the fleet answers everything.
func TestChaos(t *testing.T) {
	for name, route := range map[string]remote.Route{"by news": remote.ByNews, "queue group": remote.QueueGroup} {
		t.Run(name, func(t *testing.T) { chaos(t, route) })
	}
}

func chaos(t *testing.T, route remote.Route) {
	synctest.Test(t, func(t *testing.T) {
		f := newTestFleet(t)
		f.broker.twice = true
		members := []*member{f.start(t, 30, 100), f.start(t, 30, 100), f.start(t, 30, 100)}
		all := append([]*member{}, members...)
		c := f.client(t, remote.NATSOptions{Silence: 300 * time.Millisecond, Route: route})
		var calls sync.WaitGroup
		var mu sync.Mutex
		ends := map[string]int{}
		late := 0
		for i := range 2000 { // 4 s
			time.Sleep(2 * time.Millisecond)
			switch i {
			case 300, 700:
				f.broker.kill(members[i/300-1])
			case 500, 900:
				m := f.start(t, 30, 100)
				members, all = append(members, m), append(all, m)
			case 1200, 1300:
				f.broker.leave(i == 1200)
			}
			calls.Go(func() {
				const limit = time.Second
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				if i%50 == 0 {
					time.AfterFunc(each/2, cancel)
				}
				start := time.Now()
				_, err := c.Verify(ctx, caller, []byte("p"), "p")
				_, overloaded := errors.AsType[password.OverloadedError](err)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case time.Since(start) > limit:
					late++
				case err == nil:
					ends["answered"]++
				case overloaded:
					ends["refused"]++
				case errors.Is(err, context.Canceled):
					ends["canceled"]++
				case errors.Is(err, context.DeadlineExceeded):
					ends["expired"]++
				default:
					t.Errorf("call %d: %v", i, err)
				}
				if i >= 1500 && err != nil && !overloaded && i%50 != 0 {
					t.Errorf("call %d, after all faults: %v", i, err)
				}
			})
		}
		calls.Wait()
		time.Sleep(time.Second) // what clients gave up ends too
		synctest.Wait()
		s := c.Stats()
		t.Logf("%v; %+v", ends, s)
		if late > 0 || s.Submitted != 2000 || s.InFlight != 0 || s.Answered+s.Refused+s.Expired+s.Canceled != 2000 ||
			int(s.Answered) != ends["answered"] || int(s.Canceled) != ends["canceled"] || int(s.Expired) != ends["expired"] {
			t.Errorf("%d late, %+v; want each call ended once, in time", late, s)
		}
		if ends["answered"] < 1200 {
			t.Errorf("%d of 2000 answered", ends["answered"])
		}
		received, repeated := uint64(0), uint64(0)
		for i, m := range all {
			w := m.node.Stats()
			if w.sum() != w.Received || w.InFlight != 0 || w.Unreadable+w.Failed+w.Late > 0 {
				t.Errorf("worker %d: %+v", i, w)
			}
			received, repeated = received+w.Received, repeated+w.Repeated
		}
		if received%2 != 0 || received > 2*s.Attempts || repeated == 0 {
			t.Errorf("%d received, %d of them repeated, for %d attempts", received, repeated, s.Attempts)
		}
	})
}
