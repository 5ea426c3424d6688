// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"bytes"
	"reflect"
	"testing"
	"time"
)

// A cancel names its request, and no other; it is not taken for a request, and no request for a cancel.
func TestCancel(t *testing.T) {
	k := newTestKey(t)
	c, w := NewClient(k.Public()), NewWorker(k)
	names := map[Name]bool{}
	for range 100 {
		b, _, err := c.Seal(start, aRequest)
		if err != nil {
			t.Fatal(err)
		}
		name, ok := NameOf(b)
		if !ok || names[name] || !bytes.Contains(b, name[:]) {
			t.Fatalf("the request's name is %x, %v", name, ok)
		}
		names[name] = true
		if got, ok := ParseCancel(name.Cancel()); !ok || got != name {
			t.Errorf("%x arrives as %x, %v", name, got, ok)
		}
		if got, ok := ParseCancel(append(name.Cancel(), 1, 2, 3)); !ok || got != name {
			t.Errorf("a later version's: %x, %v", got, ok)
		}
		if _, ok := ParseCancel(b); ok {
			t.Error("a request is taken for a cancel")
		}
		if _, err := w.Open(start, name.Cancel()); err != (Refusal{Reason: Unreadable}) {
			t.Errorf("a cancel as a request: %v", err)
		}
	}
	if _, ok := NameOf(make([]byte, RequestSize)); ok {
		t.Error("a name of zeros")
	}
}

// A cancel is as long as a name at least and as news at most, of this major version, and of its own form.
func TestParseCancelStrictly(t *testing.T) {
	whole := append(Name{1, 2, 3}.Cancel(), make([]byte, MaxNews)...)
	for n := range whole {
		if _, ok := ParseCancel(whole[:n]); ok != (n >= cancelSize && n <= MaxNews) {
			t.Errorf("of %d bytes: %v; want %d to %d", n, ok, cancelSize, MaxNews)
		}
	}
	for at, other := range map[int]byte{0: Major + 1, 2: formNews} {
		b := Name{1, 2, 3}.Cancel()
		b[at] = other
		if _, ok := ParseCancel(b); ok {
			t.Errorf("%x with %d at %d is taken for a cancel", b, other, at)
		}
	}
}

// Whatever arrives, a cancel is what would be written, and nothing else has a name.
func FuzzCancel(f *testing.F) {
	_, request, reply := recorded(f)
	f.Add(Name{1, 2, 3}.Cancel())
	f.Add(request)
	f.Add(reply)
	f.Fuzz(func(t *testing.T, b []byte) {
		name, cancels := ParseCancel(b)
		if cancels && !bytes.HasPrefix(b, []byte{Major}) {
			t.Fatalf("%x cancels %x", b, name)
		}
		if _, asks := NameOf(b); asks && cancels {
			t.Fatalf("%x is a request and a cancel", b)
		}
		if _, err := ParseNews(b); err == nil && cancels {
			t.Fatalf("%x is news and a cancel", b)
		}
	})
}

// News travel under the seal of a reply, as many kinds as there is room for, and behind a refusal.
func TestNewsInReplies(t *testing.T) {
	k := newTestKey(t)
	c, w := NewClient(k.Public()), NewWorker(k)
	for _, encoded := range []int{0, MaxEncoded} {
		r := aRequest
		r.Kind, r.Encoded, r.Upgrade = Hash, "", false
		b, p, err := c.Seal(start, r)
		if err != nil {
			t.Fatal(err)
		}
		call, err := w.Open(start, b)
		if err != nil {
			t.Fatal(err)
		}
		n := someNews(MaxKinds)
		reply := Reply{Verdict: Overloaded, News: &n}
		if encoded > 0 {
			reply = Reply{Verdict: Hashed, Encoded: string(bytes.Repeat([]byte{'h'}, encoded)), News: &n}
		}
		b, err = call.Seal(reply)
		if err != nil || len(b) != ReplySize {
			t.Fatalf("%d bytes, %v; want %d", len(b), err, ReplySize)
		}
		got, err := p.Open(start, b)
		if err != nil || got.News == nil || len(got.News.Kinds) < 8 || got.Encoded != reply.Encoded {
			t.Fatalf("%+v, %v; want news of at least 8 kinds", got, err)
		}
		if want := n.Kinds[:len(got.News.Kinds)]; !reflect.DeepEqual(got.News.Kinds, want) || got.News.Worker != n.Worker {
			t.Errorf("%+v; want %+v", got.News, want)
		}
	}
	want := someNews(2)
	refusal := want.AppendTo(Refusal{Busy, time.Second}.AppendTo(nil), MaxNews)
	if got, ok := RefusalNews(refusal); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, ok, want)
	}
	if r, ok := parseRefusal(refusal); !ok || r != (Refusal{Busy, time.Second}) {
		t.Errorf("the refusal before news is %+v, %v", r, ok)
	}
	if _, ok := RefusalNews(Refusal{Busy, time.Second}.AppendTo(nil)); ok {
		t.Error("a refusal without news has some")
	}
}
