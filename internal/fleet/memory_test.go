// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

func idOf(n uint64) (id encapsulationID) {
	binary.BigEndian.PutUint64(id[:], n)
	return id
}

// flooded is a memory under a flood, with what the flood did to others.
type flooded struct {
	memory
	most    int // encapsulations remembered at once
	again   int // decapsulations of one that was remembered
	longest int // attempts of a new client until one got in
}

// send is one request. It reports whether it got in, and whether it took a decapsulation.
func (f *flooded) send(now time.Time, id uint64, sequence uint32) (in, decapsulated bool) {
	r, err := f.recall(now, idOf(id), func() (secrets, error) { decapsulated = true; return secrets{}, nil })
	if err != nil {
		return false, decapsulated
	}
	_, err = f.admit(now, r, sequence, 0)
	f.most = max(f.most, len(f.entries))
	return err == nil, decapsulated
}

// flood sends 2,000 requests a second, each under an encapsulation of its own that opens, and among them those of honest
// clients: one that is remembered and sends once in 20 s, and new ones that try each 5 ms until they are in.
func (f *flooded) flood(t *testing.T) {
	const honest, fresh, false_ = 1 << 40, 1 << 41, 1 << 42
	f.tokens = burst
	if in, _ := f.send(start, honest, 0); !in {
		t.Fatal("the first request of all is refused")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	const step = 500 * time.Microsecond
	newcomer, attempts := uint64(fresh), 0
	for i := range 160_000 { // 80 s
		now := start.Add(time.Duration(i)*step + time.Duration(rng.IntN(int(step))))
		f.send(now, false_+uint64(i), 0)
		if i%40_000 == 39_999 {
			if in, decapsulated := f.send(now, honest, uint32(i/40_000)+1); !in || decapsulated {
				f.again++
			}
		}
		if i%10 == 0 {
			attempts++
			if in, _ := f.send(now.Add(time.Duration(rng.IntN(int(step)))), newcomer, 0); in {
				f.longest = max(f.longest, attempts)
				newcomer, attempts = newcomer+1, 0
			}
		}
	}
	f.longest = max(f.longest, attempts)
}

// A flood of new encapsulations, all of which open, takes neither memory without bound nor the encapsulations that are in use.
// New clients get their share.
func TestFlood(t *testing.T) {
	f := &flooded{}
	f.flood(t)
	t.Logf("at most %d remembered, a newcomer in after at most %d attempts", f.most, f.longest)
	if f.most > capacity {
		t.Errorf("%d encapsulations remembered; want at most %d", f.most, capacity)
	}
	if f.again > 0 {
		t.Errorf("an encapsulation in use was forgotten %d times", f.again)
	}
	// One of 9 attempts gets in: that a newcomer fails 200 times has a probability of 10^-10.
	if f.longest > 200 {
		t.Errorf("a newcomer made %d attempts", f.longest)
	}
}

// What is forgotten is wiped, and makes room.
func TestForget(t *testing.T) {
	m := memory{tokens: burst}
	for i := range uint64(burst) {
		r, err := m.recall(start, idOf(i), func() (secrets, error) { return secrets{request: [32]byte{1}}, nil })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.admit(start, r, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	kept := m.entries[idOf(7)]
	if _, err := m.recall(start, idOf(burst), nil); !errors.As(err, new(Refusal)) {
		t.Fatalf("decapsulation %d in one instant: %v; want a Refusal", burst, err)
	}
	after := start.Add(remember + 1)
	if _, err := m.recall(after, idOf(burst), func() (secrets, error) { return secrets{}, nil }); err != nil {
		t.Fatal(err)
	}
	if len(m.entries) != 0 || len(m.oldest) != 0 || kept.secrets != (secrets{}) {
		t.Errorf("%d and %d remembered, one with secrets %v; want none", len(m.entries), len(m.oldest), kept.secrets)
	}
}

// Bytes that don't open are not remembered, whoever sent them.
func TestGarbageIsNotRemembered(t *testing.T) {
	k := newTestKey(t)
	w := NewWorker(k)
	b, _, err := NewClient(k.Public()).Seal(start, aRequest)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		b[headerSize] = byte(i)
		b[len(b)-1]++
		if _, err := w.Open(start, b); err != (Refusal{Reason: Unreadable}) {
			t.Fatalf("garbage: %v; want Unreadable", err)
		}
	}
	if n := len(w.memory.entries) + len(w.memory.under); n != 0 {
		t.Errorf("%d remembered", n)
	}
}

// Requests of one new encapsulation that arrive together take one decapsulation.
func TestOneDecapsulation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := memory{tokens: burst}
		gate, count, got := make(chan struct{}), 0, make(chan secrets)
		for range 50 {
			go func() {
				r, err := m.recall(start, idOf(1), func() (secrets, error) { count++; <-gate; return secrets{reply: [32]byte{9}}, nil })
				if err != nil {
					t.Error(err)
				}
				got <- r.secrets
			}()
		}
		synctest.Wait()
		close(gate)
		for range 50 {
			if s := <-got; s.reply[0] != 9 {
				t.Errorf("secrets %v", s)
			}
		}
		if count != 1 || m.tokens != burst-1 {
			t.Errorf("%d decapsulations, %v tokens left; want 1 and %d", count, m.tokens, burst-1)
		}
	})
}

// delays are requests of one encapsulation, each sealed and arrived some time after the first was sealed.
func TestDelay(t *testing.T) {
	type message struct {
		sealed, arrived, left time.Duration
		want                  any // the time left, or a Reason
	}
	const ms = time.Millisecond
	for name, messages := range map[string][]message{
		"none":                           {{0, 1 * ms, 50 * ms, 50 * ms}, {10 * ms, 11 * ms, 50 * ms, 50 * ms}},
		"the second late":                {{0, 1 * ms, 50 * ms, 50 * ms}, {10 * ms, 31 * ms, 50 * ms, 30 * ms}, {20 * ms, 71 * ms, 50 * ms, Late}, {20 * ms, 70 * ms, 50 * ms, 1 * ms}},
		"the first late":                 {{0, 40 * ms, 50 * ms, 50 * ms}, {10 * ms, 11 * ms, 50 * ms, 50 * ms}, {20 * ms, 41 * ms, 50 * ms, 30 * ms}},
		"all alike, which can't be seen": {{0, time.Second, 50 * ms, 50 * ms}, {10 * ms, time.Second + 10*ms, 50 * ms, 50 * ms}},
		"the worker paused for 1 s":      {{0, time.Second, 2 * time.Second, 2 * time.Second}, {1000 * ms, 1001 * ms, 50 * ms, 50 * ms}},
		"recorded and sent at the end":   {{0, 0, 50 * ms, 50 * ms}, {59 * time.Second, remember - 1, MaxLeft, Late}},
	} {
		t.Run(name, func(t *testing.T) {
			k := newTestKey(t)
			c, w := NewClient(k.Public()), NewWorker(k)
			for i, m := range messages {
				r := aRequest
				r.Left = m.left
				b, _, err := c.Seal(start.Add(m.sealed), r)
				if err != nil {
					t.Fatal(err)
				}
				call, err := w.Open(start.Add(m.arrived), b)
				if refusal, ok := errors.AsType[Refusal](err); ok {
					if refusal.Reason != m.want {
						t.Errorf("request %d: %v, want %v", i, refusal.Reason, m.want)
					}
				} else if err != nil || call.Request.Left != m.want {
					t.Errorf("request %d has %v left, %v; want %v", i, call.Request.Left, err, m.want)
				}
			}
		})
	}
}

// A clone of a client's machine counts on from the same number. Its nonces differ, the worker takes one of two requests with
// one number, and the refusal gives the other a new encapsulation.
func TestClonedClient(t *testing.T) {
	k := newTestKey(t)
	w, one := NewWorker(k), NewClient(k.Public())
	if _, _, err := one.Seal(start, aRequest); err != nil {
		t.Fatal(err)
	}
	copied := *one.current
	two := &Client{to: one.to, current: &copied}
	now := start.Add(2 * time.Second)
	a, _, _ := one.Seal(now, aRequest)
	b, p, _ := two.Seal(now, aRequest)
	const from = headerSize + encapsulatedSize
	if !bytes.Equal(a[:from], b[:from]) {
		t.Fatal("the clone has an encapsulation of its own: the test tests nothing")
	}
	if bytes.Equal(a[from:from+nonceSize], b[from:from+nonceSize]) {
		t.Error("two requests under one key and nonce")
	}
	if _, err := w.Open(now, a); err != nil {
		t.Fatal(err)
	}
	_, err := w.Open(now, b)
	refusal, _ := errors.AsType[Refusal](err)
	if refusal.Reason != Repeated {
		t.Fatalf("the clone's request: %v; want Repeated", err)
	}
	if _, err := p.Open(now, refusal.AppendTo(nil)); err != refusal {
		t.Fatalf("%v arrives as %v", refusal, err)
	}
	if b, _, _ = two.Seal(now, aRequest); bytes.Equal(a[:from], b[:from]) {
		t.Error("the clone goes on under the same encapsulation")
	}
	if _, err := w.Open(now, b); err != nil {
		t.Errorf("the clone's next request: %v", err)
	}
}

// A broker that forges refusals makes a client encapsulate once a second at most.
func TestForgedRefusalsRenewOnceASecond(t *testing.T) {
	c := NewClient(newTestKey(t).Public())
	made := map[[32]byte]bool{}
	for i := range 3000 {
		now := start.Add(time.Duration(i) * time.Millisecond)
		b, p, err := c.Seal(now, aRequest)
		if err != nil {
			t.Fatal(err)
		}
		made[[32]byte(b[headerSize:])] = true
		p.Open(now, Refusal{Reason: Late}.AppendTo(nil))
	}
	if n := len(made); n < 3 || n > 4 { // 1,024 requests or a second each
		t.Errorf("%d encapsulations in 3 s", n)
	}
}
