// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleetnode

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"fount/internal/fleet"
	"fount/password"
	"fount/remote"
)

// News are what the hasher believes, and say when the worker drains.
func TestNews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newTestFleet(t).start(t, 1, 10).node
		got, err := fleet.ParseNews(n.News(time.Now()))
		if err != nil || got.Worker != n.ID() || got.Draining || got.Wait != 0 || len(got.Kinds) != 1 ||
			got.Kinds[0] != (fleet.Estimate{Cost: fleet.Cost{Algorithm: 1, Size: 10}, Alone: each, Drain: each}) {
			t.Errorf("%+v, %v", got, err)
		}
		if err := n.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		if got, err := fleet.ParseNews(n.News(time.Now())); err != nil || !got.Draining {
			t.Errorf("%+v, %v; want Draining", got, err)
		}
	})
}

// Replies and refusals have the worker's news, and those are not older than fresh.
func TestNewsTravelWithReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newTestFleet(t)
		n, c := f.start(t, 1, 1).node, fleet.NewClient(f.key.Public())
		r := fleet.Request{Kind: fleet.Verify, Left: time.Second, Password: []byte("p"), Encoded: "p"}
		done := make(chan struct{})
		go func() {
			defer close(done)
			if got, err := ask(t, c, n, r); err != nil || got.News == nil || got.News.Worker != n.ID() || got.News.Wait != 0 {
				t.Errorf("%+v, %v; want news of an idle worker", got, err)
			}
		}()
		time.Sleep(fresh + 1)
		b, _, err := c.Seal(time.Now(), r)
		if err != nil {
			t.Fatal(err)
		}
		n.Handle(time.Now(), b, func(reply []byte) {
			if got, ok := fleet.RefusalNews(reply); !ok || got.Wait != each || len(reply) > refusal {
				t.Errorf("%+v, %v in %d bytes; want a wait of %v", got, ok, len(reply), each)
			}
		})
		<-done
	})
}

// A worker that is told that nobody waits gives the place up, whenever that comes.
func TestCancel(t *testing.T) {
	for at := time.Duration(0); at <= each+each/10; at += each / 10 {
		synctest.Test(t, func(t *testing.T) {
			f := newTestFleet(t)
			m := f.start(t, 1, 10)
			synctest.Wait()
			c := f.client(t, remote.NATSOptions{Silence: time.Hour})
			time.Sleep(Every + 1) // until it has heard of the worker
			ctx, cancel := context.WithTimeout(t.Context(), at)
			defer cancel()
			if _, err := c.Verify(ctx, caller, []byte("p"), "p"); at < each && !errors.Is(err, context.DeadlineExceeded) || at > each && err != nil {
				t.Errorf("given up after %v: %v", at, err)
			}
			synctest.Wait()
			if s := m.node.Stats(); s.InFlight != 0 || s.sum() != s.Received || at < each && s.Answered > 0 {
				t.Errorf("given up after %v: %+v; want nothing in flight", at, s)
			}
			if _, err := c.Verify(t.Context(), caller, []byte("p"), "p"); err != nil { // there is room for one
				t.Errorf("after a call given up after %v: %v", at, err)
			}
		})
	}
}

// Nobody else's request is given up: not by another name, not by one that has ended.
func TestCancelOfNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newTestFleet(t)
		m := f.start(t, 1, 10)
		c := fleet.NewClient(f.key.Public())
		b, p, err := c.Seal(time.Now(), fleet.Request{Kind: fleet.Verify, Left: time.Second, Password: []byte("p"), Encoded: "p"})
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan []byte, 1)
		never := func([]byte) { t.Error("a cancel is answered") }
		name, _ := fleet.NameOf(b)
		m.node.Handle(time.Now(), name.Cancel(), never) // before the request
		m.node.Handle(time.Now(), b, func(reply []byte) { got <- reply })
		synctest.Wait()
		m.node.Handle(time.Now(), b, func([]byte) {}) // again: its end must not make the first one's name unknown
		synctest.Wait()
		other := name
		other[0] ^= 1
		m.node.Handle(time.Now(), other.Cancel(), never)
		if r, err := p.Open(time.Now(), <-got); err != nil || r.Verdict != fleet.Match {
			t.Errorf("%+v, %v; want a match", r, err)
		}
		m.node.Handle(time.Now(), name.Cancel(), never) // after it
		synctest.Wait()
		if s := m.node.Stats(); s.Answered != 1 || s.Repeated != 1 || s.Canceled != 0 || s.Received != 2 || len(m.node.calls) != 0 {
			t.Errorf("%+v, %d names kept; want one answered and one repeated", s, len(m.node.calls))
		}
	})
}

// A request with less time than its hash takes is refused unopened, but for one of each kind at intervals, and one with far more
// time than that; one that has time never is.
func TestHopeless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newTestFleet(t).start(t, 1, 10).node
		h := fleet.Header{Kind: fleet.Verify, Cost: fleet.Cost{Algorithm: 1, Size: 10}}
		through := func(left time.Duration) int {
			h.Left = left
			if n.hopeless(time.Now(), h) {
				return 0
			}
			return 1
		}
		sum := 0
		for range 1000 { // 1 s
			sum += through(each / 10)
			time.Sleep(time.Millisecond)
			if through(each) != 1 {
				t.Fatal("a request with time enough is refused")
			}
		}
		if want := int(time.Second / every); sum < want-1 || sum > want+1 {
			t.Errorf("%d of 1000 hopeless requests are let through in 1 s; want %d", sum, want)
		}
		through(each / 10)
		if through(each/10) != 0 || through(each*9/10) != 1 || through(each*9/10) != 0 {
			t.Error("a request with nine times as much time must wait, or a second one need not")
		}
		for i := range 1000 {
			h.Cost.Size = uint32(100 + i)
			if through(1) != 1 {
				t.Fatal("a request of a cost that the worker does not know is refused")
			}
		}
		if len(n.let) > 2*fleet.MaxKinds+1 {
			t.Errorf("%d kinds kept", len(n.let))
		}
	})
}

// A hasher that believes that hashes take longer than anyone waits is asked still, and so learns better.
func TestHopelessHeals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newTestFleet(t)
		h := &slowBeliever{hashes{make(chan struct{}, 30)}, time.Hour}
		node, err := New(Options{Hasher: h, Estimates: h.estimates, Policy: password.Policy{Algorithm: password.Bcrypt, Cost: 10}, Calls: 100}, f.key)
		if err != nil {
			t.Fatal(err)
		}
		c := fleet.NewClient(f.key.Public())
		answered := 0
		for range 100 {
			r := fleet.Request{Kind: fleet.Verify, Left: 2 * each, Password: []byte("p"), Encoded: "p", Cost: fleet.Cost{Algorithm: 1, Size: 10}}
			if got, err := ask(t, c, node, r); err == nil && got.Verdict == fleet.Match {
				answered++
			}
			time.Sleep(time.Millisecond)
		}
		if answered < 90 {
			t.Errorf("%d of 100 answered; want all but a few", answered)
		}
	})
}

// Policies come and go; what is noted of their kinds is bounded.
func TestHopelessIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cost := 0
		e := func() password.Estimates {
			return password.Estimates{Kinds: []password.Estimate{{Policy: password.Policy{Algorithm: password.Bcrypt, Cost: cost}, Alone: each}}}
		}
		n, err := New(Options{Estimates: e, Calls: 1}, newTestFleet(t).key)
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		for cost = range 1000 {
			time.Sleep(fresh + 1)
			n.hopeless(time.Now(), fleet.Header{Left: 1, Cost: fleet.Cost{Algorithm: 1, Size: uint32(cost)}})
			most = max(most, len(n.let))
		}
		if most < fleet.MaxKinds || most > 2*fleet.MaxKinds+1 {
			t.Errorf("%d kinds kept; want at least %d, and twice that at most", most, fleet.MaxKinds)
		}
	})
}

// A request that is replayed can be given up still.
func TestCancelOfReplayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newTestFleet(t)
		n, c := f.start(t, 1, 10).node, fleet.NewClient(f.key.Public())
		b, _, err := c.Seal(time.Now(), fleet.Request{Kind: fleet.Verify, Left: time.Second, Password: []byte("p"), Encoded: "p"})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			n.Handle(time.Now(), b, func([]byte) {})
			synctest.Wait()
		}
		name, _ := fleet.NameOf(b)
		n.Handle(time.Now(), name.Cancel(), nil)
		synctest.Wait()
		if s := n.Stats(); s.Canceled != 1 || s.Repeated != 1 || s.InFlight != 0 {
			t.Errorf("%+v; want one canceled and one repeated", s)
		}
	})
}

// What does not open takes no place from requests that put estimates right, however much of it comes.
func TestHopelessGarbage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newTestFleet(t)
		n := f.start(t, 10, 100).node
		stranger, err := fleet.NewKey(time.Now())
		if err != nil {
			t.Fatal(err)
		}
		c, forger := fleet.NewClient(f.key.Public()), fleet.NewClient(stranger.Public())
		r := fleet.Request{Kind: fleet.Verify, Left: each * 9 / 10, Password: []byte("p"), Encoded: "p", Cost: fleet.Cost{Algorithm: 1, Size: 10}}
		garbage, _, err := forger.Seal(time.Now(), r)
		if err != nil {
			t.Fatal(err)
		}
		opened := 0
		for range 20 {
			for range 60 { // longer than a place is taken for
				time.Sleep(time.Millisecond)
				n.Handle(time.Now(), garbage, func([]byte) {})
				synctest.Wait()
			}
			if _, err := ask(t, c, n, r); err == nil {
				opened++
			}
		}
		if opened != 20 {
			t.Errorf("%d of 20 requests are opened beside garbage; want all", opened)
		}
	})
}

// A slowBeliever believes too much until it has computed one hash.
type slowBeliever struct {
	hashes
	alone time.Duration
}

func (s *slowBeliever) Verify(ctx context.Context, l password.Login, secret []byte, encoded string) (password.Result, error) {
	r, err := s.hashes.Verify(ctx, l, secret, encoded)
	s.alone = each
	return r, err
}

func (s *slowBeliever) estimates() password.Estimates {
	e := s.hashes.estimates()
	e.Kinds[0].Alone = s.alone
	return e
}

// A node that leaves serves on, and each reply and refusal says that it drains: one that did not would bring its clients back.
func TestLeavingIsSaidByReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newTestFleet(t)
		n := f.start(t, 1, 1).node
		c := fleet.NewClient(f.key.Public())
		defer c.Wipe()
		r := fleet.Request{Kind: fleet.Verify, Password: []byte("a"), Encoded: "a", Left: time.Second}
		if reply, err := ask(t, c, n, r); err != nil || reply.News == nil || reply.News.Draining {
			t.Errorf("before: %+v, %v", reply, err)
		}
		n.look(time.Now())
		n.Leaving()
		if !n.lately(time.Now()).Draining {
			t.Error("news made just before Leaving go out behind it")
		}
		if reply, err := ask(t, c, n, r); err != nil || reply.Verdict != fleet.Match || reply.News == nil || !reply.News.Draining {
			t.Errorf("leaving: %+v, %v; want a match and news of the drain", reply, err)
		}
		if news, err := fleet.ParseNews(n.News(time.Now())); err != nil || !news.Draining {
			t.Errorf("%+v, %v", news, err)
		}
		if err := n.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := ask(t, c, n, r); err == nil {
			t.Error("it answers after Drain")
		}
	})
}
