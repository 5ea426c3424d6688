// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"bytes"
	"testing"
	"time"
)

// Each bound of what is read, at the last value that is taken and the first that is not.

func TestHeaderBounds(t *testing.T) {
	header := Header{Kind: Verify, Left: MaxLeft}.appendTo(nil)
	of := func(size int) []byte { return append(bytes.Clone(header), make([]byte, size-len(header))...) }
	for size, want := range map[int]bool{headerSize: false, headerSize + overhead - 1: false, headerSize + overhead: true, MaxRequest: true, MaxRequest + 1: false} {
		if _, err := ParseHeader(of(size)); (err == nil) != want {
			t.Errorf("a request of %d bytes: %v; want it read: %v", size, err, want)
		}
	}
	late := of(RequestSize)
	late[15]++ // a microsecond more than MaxLeft
	if _, err := ParseHeader(late); err != (Refusal{Reason: Unreadable}) {
		t.Errorf("more than MaxLeft: %v", err)
	}
}

func TestReasons(t *testing.T) {
	for r, want := range map[Reason]string{0: "reason 0", Busy: "busy", UnknownKey: "unknown key", Unreadable: "unreadable", Unreadable + 1: "reason 8"} {
		if got := r.String(); got != want {
			t.Errorf("reason %d is %q; want %q", uint8(r), got, want)
		}
	}
	for r := range Unreadable + 2 {
		if got := (Refusal{Reason: r}).Renew(); got != (r == Late || r == Repeated) {
			t.Errorf("%v renews: %v", r, got)
		}
	}
}

// A reply that is cut anywhere is forged; what has a refusal's place but not its form or version is none.
func TestReplyBounds(t *testing.T) {
	k := newTestKey(t)
	b, p, err := NewClient(k.Public()).Seal(start, aRequest)
	if err != nil {
		t.Fatal(err)
	}
	call, err := NewWorker(k).Open(start, b)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := call.Seal(Reply{Verdict: Match})
	if err != nil {
		t.Fatal(err)
	}
	for n := range reply {
		if _, err := p.Open(start, reply[:n]); err != ErrForged {
			t.Fatalf("%d bytes of a reply: %v; want ErrForged", n, err)
		}
	}
	if other, err := call.Seal(Reply{Verdict: Match}); err != nil || bytes.Equal(other[replyHeader:replyHeader+saltSize], reply[replyHeader:replyHeader+saltSize]) {
		t.Errorf("two replies have one salt, %v", err)
	}
	for at, other := range map[int]byte{0: Major + 1, 2: formSealed} {
		refusal := someNews(1).AppendTo(Refusal{Busy, time.Second}.AppendTo(nil), MaxNews)
		refusal[at] = other
		if _, ok := RefusalNews(refusal); ok {
			t.Errorf("news behind what is no refusal: %d at %d", other, at)
		}
	}
	p.Wipe()
	call.Wipe()
	if p.secret != [32]byte{} || call.secret != [32]byte{} || !bytes.Equal(call.plain, make([]byte, len(call.plain))) {
		t.Error("Wipe leaves secrets")
	}
}

func TestAdmitBounds(t *testing.T) {
	var m memory
	for _, test := range []struct {
		sequence uint32
		age      time.Duration
		want     error
	}{
		{requestsEach - 1, lifetime, nil}, {requestsEach, 0, Refusal{Reason: Unreadable}}, {0, lifetime + 1, Refusal{Reason: Late}},
	} {
		if _, err := m.admit(start, remembered{id: idOf(1)}, test.sequence, test.age); err != test.want {
			t.Errorf("number %d of age %v: %v; want %v", test.sequence, test.age, err, test.want)
		}
	}
	for id := uint64(2); len(m.entries) < capacity; id++ {
		if _, err := m.admit(start, remembered{id: idOf(id)}, 0, 0); err != nil {
			t.Fatalf("with %d entries of %d: %v", len(m.entries), capacity, err)
		}
	}
	if _, err := m.admit(start, remembered{id: idOf(0)}, 0, 0); err != (Refusal{Reason: Busy}) {
		t.Errorf("beyond the capacity: %v; want Busy", err)
	}
	if m.expire(start.Add(remember)); len(m.entries) != capacity {
		t.Errorf("%d entries are left when they may still be in use; want %d", len(m.entries), capacity)
	}
	if m.expire(start.Add(remember + 1)); len(m.entries) != 0 {
		t.Errorf("%d entries are left that nobody uses", len(m.entries))
	}
}

func TestRenewBounds(t *testing.T) {
	c := NewClient(newTestKey(t).Public())
	for after, renewed := range map[time.Duration]bool{renewEach - 1: false, renewEach: true} {
		if _, _, _, err := c.take(start); err != nil {
			t.Fatal(err)
		}
		c.renew(start.Add(after), start.Add(-1))
		if c.current == nil {
			t.Error("a refusal of another encapsulation renews this one")
		}
		if c.renew(start.Add(after), start); (c.current == nil) != renewed {
			t.Errorf("a refusal %v after: renewed %v", after, !renewed)
		}
		c.Wipe()
	}
}

func TestNewsBounds(t *testing.T) {
	n := someNews(MaxKinds)
	b := n.AppendTo(nil, MaxNews)
	for size := range b {
		if _, err := ParseNews(b[:size]); (err == nil) != (size >= newsHeader && (size-newsHeader)%newsKind == 0) {
			t.Errorf("%d bytes of news: %v", size, err)
		}
	}
	if _, err := ParseNews(append(bytes.Clone(b), b[len(b)-newsKind:]...)); err == nil {
		t.Errorf("more than %d kinds are read", MaxKinds)
	}
	for at, less := range map[int]byte{3: newsHeader - 1, 4: newsKind - 1} {
		damaged := bytes.Clone(b[:newsHeader])
		damaged[at] = less
		if _, err := ParseNews(damaged); err != ErrNews {
			t.Errorf("a size of %d at %d: %v", less, at, err)
		}
	}
	for limit, want := range map[int]int{newsHeader + newsKind - 1: newsHeader, newsHeader + newsKind: newsHeader + newsKind} {
		if got := len(n.AppendTo(make([]byte, 5), limit)) - 5; got != want {
			t.Errorf("%d bytes behind others with a limit of %d; want %d", got, limit, want)
		}
	}
	n.Draining = false
	if got, err := ParseNews(n.AppendTo(nil, MaxNews)); err != nil || got.Draining {
		t.Errorf("drains: %v, %v", got.Draining, err)
	}
	if one, other := NewWorkerID(), NewWorkerID(); one == other {
		t.Error("two workers have one ID")
	}
}
