// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"fount/password"
)

// What is asked arrives, and what is answered.
func TestRoundTrip(t *testing.T) {
	k := newTestKey(t)
	c, w := NewClient(k.Public()), NewWorker(k)
	long := strings.Repeat("x", MaxPrincipal+1)
	for _, r := range []Request{
		aRequest,
		{Kind: Verify, Left: time.Hour, Password: bytes.Repeat([]byte{0}, MaxPassword), Encoded: strings.Repeat("h", MaxEncoded),
			Principal: long[1:], Class: password.ClassRehash, Upgrade: true},
		{Kind: Verify, Left: time.Microsecond},
		{Kind: Hash, Left: 1500 * time.Nanosecond, Password: []byte("p"), Principal: long, Class: password.ClassChangePassword},
	} {
		b, _, err := c.Seal(start, r)
		if err != nil {
			t.Fatal(err)
		}
		h, err := ParseHeader(b)
		want := Header{Minor, r.Kind, k.ID, min(r.Left.Truncate(time.Microsecond), MaxLeft), r.Cost}
		if err != nil || h != want {
			t.Errorf("header %+v, %v; want %+v", h, err, want)
		}
		call, err := w.Open(start, b)
		if err != nil {
			t.Fatal(err)
		}
		got := call.Request
		if r.Principal == long {
			sum := sha256.Sum256([]byte(long))
			r.Principal = "sha256:" + hex.EncodeToString(sum[:])
		}
		if !bytes.Equal(got.Password, r.Password) || got.Encoded != r.Encoded || got.Principal != r.Principal || got.Class != r.Class ||
			got.Upgrade != r.Upgrade || got.Kind != r.Kind || got.Left != want.Left || got.Cost != r.Cost {
			t.Errorf("%+v arrives as %+v", r, got)
		}
		call.Wipe()
		if bytes.ContainsFunc(got.Password, func(c rune) bool { return c != 0 }) {
			t.Error("the password is there after Wipe")
		}
	}
	for _, bad := range []Request{{}, {Kind: 3, Left: 1e6}, {Kind: Verify}, {Kind: Verify, Left: 999}, {Kind: Hash, Left: 1e6, Encoded: "x"},
		{Kind: Verify, Left: 1e6, Password: make([]byte, MaxPassword+1)}, {Kind: Verify, Left: 1e6, Encoded: strings.Repeat("h", MaxEncoded+1)}} {
		if _, _, err := c.Seal(start, bad); err == nil {
			t.Errorf("%+v is sealed", bad)
		}
	}
}

func TestReplies(t *testing.T) {
	k := newTestKey(t)
	c, w := NewClient(k.Public()), NewWorker(k)
	for _, x := range []struct {
		kind  Kind
		reply Reply
		err   error
	}{
		{Verify, Reply{Verdict: Match}, nil},
		{Verify, Reply{Verdict: Match, NeedsRehash: true, Truncated: true, Encoded: strings.Repeat("h", MaxEncoded), Policy: Cost{1, 2, 3, 4}}, nil},
		{Hash, Reply{Verdict: Hashed, Encoded: "h"}, nil},
		{Verify, Reply{Verdict: Mismatch}, password.ErrMismatch},
		{Verify, Reply{Verdict: Malformed}, password.ErrMalformed},
		{Verify, Reply{Verdict: TooCostly}, password.ErrCost},
		{Verify, Reply{Verdict: KeyMissing}, password.ErrKey},
		{Verify, Reply{Verdict: TooLong}, password.ErrTooLong},
		{Hash, Reply{Verdict: Empty}, password.ErrEmpty},
		{Hash, Reply{Verdict: NUL}, password.ErrNUL},
		{Verify, Reply{Verdict: Overloaded, After: 1234567 * time.Microsecond}, password.OverloadedError{After: 1234567 * time.Microsecond}},
		{Verify, Reply{Verdict: Closed}, password.ErrClosed},
		{Verify, Reply{Verdict: Expired}, context.DeadlineExceeded},
		{Verify, Reply{Verdict: Unsupported}, ErrUnsupported},
		{Verify, Reply{Verdict: Failed}, ErrFailed},
		{Verify, Reply{Verdict: 200}, ErrFailed},
	} {
		r := Request{Kind: x.kind, Left: time.Second}
		b, p, err := c.Seal(start, r)
		if err != nil {
			t.Fatal(err)
		}
		call, err := w.Open(start, b)
		if err != nil {
			t.Fatal(err)
		}
		b, err = call.Seal(x.reply)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Open(start, b)
		if err != nil || got != x.reply || !errors.Is(got.Err(), x.err) {
			t.Errorf("%+v arrives as %+v, %v, with error %v", x.reply, got, err, got.Err())
		}
		if x.err != nil && x.reply.Verdict < 100 {
			if v, after := VerdictOf(x.err); v != x.reply.Verdict || after != x.reply.After {
				t.Errorf("%v is verdict %d after %v, want %d", x.err, v, after, x.reply.Verdict)
			}
		}
	}
	if v, _ := VerdictOf(errors.New("other")); v != Failed {
		t.Errorf("another error is verdict %d", v)
	}
}

// A verdict of the other kind of request is no answer, not even from the worker.
func TestVerdictsOfTheOtherKind(t *testing.T) {
	for kind, replies := range map[Kind][]Reply{
		Verify: {{Verdict: Hashed, Encoded: "h"}, {}, {Verdict: Mismatch, Encoded: "h"}},
		Hash:   {{Verdict: Match}, {Verdict: Mismatch}, {Verdict: Hashed}},
	} {
		for _, r := range replies {
			b, err := r.appendTo(make([]byte, 0, replySize))
			if err != nil {
				t.Fatal(err)
			}
			if err := new(Reply).parse(b, kind); !errors.Is(err, errFields) {
				t.Errorf("%+v answers kind %d: %v", r, kind, err)
			}
		}
	}
}

// A reason is refused before the request is opened, where the header shows it.
func TestRefusals(t *testing.T) {
	k := newTestKey(t)
	w := NewWorker(k)
	good, p, err := NewClient(k.Public()).Seal(start, aRequest)
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		change func(b []byte) []byte
		want   Reason
	}{
		"empty":            {func(b []byte) []byte { return nil }, Unreadable},
		"short":            {func(b []byte) []byte { return b[:headerSize+overhead-1] }, Unreadable},
		"nothing sealed":   {func(b []byte) []byte { return b[:headerSize+overhead] }, Unreadable},
		"long":             {func(b []byte) []byte { return append(b, make([]byte, MaxRequest)...) }, Unreadable},
		"another major":    {func(b []byte) []byte { b[0]++; return b }, Version},
		"a short header":   {func(b []byte) []byte { b[2]--; return b }, Unreadable},
		"a new kind":       {func(b []byte) []byte { b[3] = 9; return b }, Version},
		"another key":      {func(b []byte) []byte { b[5]++; return b }, UnknownKey},
		"no time left":     {func(b []byte) []byte { clear(b[12:16]); return b }, Late},
		"too much time":    {func(b []byte) []byte { b[12] = 0xFF; return b }, Unreadable},
		"no X25519 at all": {func(b []byte) []byte { clear(b[headerSize+1088 : headerSize+1120]); return b }, Unreadable},
	} {
		b := x.change(bytes.Clone(good))
		_, err := w.Open(start, b)
		refusal, ok := errors.AsType[Refusal](err)
		if !ok || refusal.Reason != x.want {
			t.Errorf("%s: %v; want %v", name, err, x.want)
		}
		sent := refusal.AppendTo(nil)
		if _, err := p.Open(start, sent); err != refusal || len(sent) != refusalSize {
			t.Errorf("%s: %v arrives as %v in %d bytes", name, refusal, err, len(sent))
		}
	}
	for _, after := range []time.Duration{-1, 0, 1, time.Millisecond, time.Hour} {
		_, err := p.Open(start, Refusal{Busy, after}.AppendTo(nil))
		want := min(max(after, 0), MaxLeft)
		if r, ok := errors.AsType[Refusal](err); !ok || r.After < want || r.After > want+time.Millisecond || r.After > MaxLeft {
			t.Errorf("after %v arrives as %v", after, err)
		}
	}
	if _, err := p.Open(start, []byte{Major, Minor, formRefusal, byte(Busy), 0xFF, 0xFF, 0xFF, 0xFF}); err != (Refusal{Busy, MaxLeft}) {
		t.Errorf("a forged refusal for weeks is %v, want %v at most", err, MaxLeft)
	}
}

// later is what version 1.1 may look like: longer header, more fields, more padding.
func later(t *testing.T, c *Client, extra byte) ([]byte, *Pending) {
	t.Helper()
	old, p, err := c.Seal(start, aRequest)
	if err != nil {
		t.Fatal(err)
	}
	const at = headerSize + encapsulatedSize + nonceSize
	key := c.current.secrets.request[:]
	plain, err := open(nil, key, old[at-nonceSize:at], old, at)
	if err != nil {
		t.Fatal(err)
	}
	fields := appendField(nil, extra, []byte("of a later version"))
	plain = append(append(fields, plain...), make([]byte, 100)...)
	b := append([]byte{Major, Minor + 1, headerSize + 6, old[3]}, old[4:headerSize]...)
	b = append(append(b, "later!"...), old[headerSize:at]...)
	from := len(b)
	b = seal(key, b[from-nonceSize:from], append(b, plain...), from)
	p.request = sha256.Sum256(b)
	return b, p
}

// Versions 1.0 and 1.1 understand each other.
func TestLaterVersion(t *testing.T) {
	k := newTestKey(t)
	c, w := NewClient(k.Public()), NewWorker(k)
	b, p := later(t, c, 100)
	call, err := w.Open(start, b)
	if err != nil || string(call.Request.Password) != string(aRequest.Password) || call.Request.Cost != aRequest.Cost {
		t.Fatalf("a later request arrives as %+v, %v", call, err)
	}
	// A later reply: another minor version, more fields, more padding.
	reply := make([]byte, replyHeader+saltSize)
	copy(reply, []byte{Major, Minor + 1, formSealed})
	from := len(reply)
	reply = appendField(reply, 100, []byte("later"))
	reply, err = (&Reply{Verdict: Match}).appendTo(append(make([]byte, 0, 1<<10), reply...))
	if err != nil {
		t.Fatal(err)
	}
	reply = append(reply, make([]byte, 64)...)
	reply = seal(replyKey(&call.secret, &call.request, reply[replyHeader:from]), firstNonce, reply, from)
	if got, err := p.Open(start, reply); err != nil || got.Verdict != Match {
		t.Errorf("a later reply arrives as %+v, %v", got, err)
	}

	// A field that must be understood is refused under seal, and only the worker can say so.
	b, p = later(t, c, critical|100)
	call, err = w.Open(start, b)
	if !errors.Is(err, ErrUnsupported) || call == nil || call.Request.Password != nil {
		t.Fatalf("a critical field: %+v, %v", call, err)
	}
	reply, err = call.Seal(Reply{Verdict: Unsupported})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.Open(start, reply); err != nil || !errors.Is(got.Err(), ErrUnsupported) {
		t.Errorf("%+v, %v", got, err)
	}
}

// recorded are a request and its reply of version 1.0, and the key that it was sealed to.
func recorded(t testing.TB) (k Key, request, reply []byte) {
	t.Helper()
	text, err := os.ReadFile("testdata/version1.txt")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string][]byte{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			if parts[name], err = base64.StdEncoding.DecodeString(value); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	if k, err = newKey(parts["seed"], start); err != nil {
		t.Fatal(err)
	}
	return k, parts["request"], parts["reply"]
}

// pendingOf is what the client of a recorded request waits with.
func pendingOf(t testing.TB, k Key, request []byte) *Pending {
	t.Helper()
	call, err := NewWorker(k).Open(start, request)
	if err != nil {
		t.Fatal(err)
	}
	return &Pending{c: NewClient(k.Public()), kind: call.Request.Kind, secret: call.secret, request: call.request}
}

// The format does not change: these messages were made when it was new. Do not make them again.
func TestRecordedVersion1(t *testing.T) {
	k, request, reply := recorded(t)
	call, err := NewWorker(k).Open(start, request)
	if err != nil {
		t.Fatal(err)
	}
	if got := call.Request; string(got.Password) != string(aRequest.Password) || got.Encoded != aRequest.Encoded ||
		got.Principal != aRequest.Principal || got.Left != aRequest.Left || got.Cost != aRequest.Cost {
		t.Errorf("the request is %+v", got)
	}
	want := Reply{Verdict: Match, NeedsRehash: true, Encoded: "$2b$12$new", Policy: Cost{1, 0, 0, 12}}
	if got, err := pendingOf(t, k, request).Open(start, reply); err != nil || got != want {
		t.Errorf("the reply is %+v, %v; want %+v", got, err, want)
	}
}

// A client's encapsulation ends after requestsEach requests and after lifetime.
func TestEncapsulationEnds(t *testing.T) {
	k := newTestKey(t)
	c, w := NewClient(k.Public()), NewWorker(k)
	made := map[[32]byte]int{}
	for range 2*requestsEach + 1 {
		b, _, err := c.Seal(start, aRequest)
		if err != nil {
			t.Fatal(err)
		}
		made[[32]byte(b[headerSize:])]++
		if _, err := w.Open(start, b); err != nil {
			t.Fatal(err)
		}
	}
	if len(made) != 3 {
		t.Errorf("%d encapsulations, want 3", len(made))
	}
	old := c.current
	if _, _, err := c.Seal(start.Add(lifetime), aRequest); err != nil || c.current != old {
		t.Errorf("%v; after %v the encapsulation is another", err, lifetime)
	}
	if _, _, err := c.Seal(start.Add(lifetime+1), aRequest); err != nil || c.current == old || old.secrets != (secrets{}) {
		t.Errorf("%v; after more than %v the encapsulation is the same, or was not wiped", err, lifetime)
	}
	c.Wipe()
	if c.current != nil {
		t.Error("an encapsulation after Wipe")
	}
}

// Client and Worker may be used from many goroutines: each request opens once.
func TestConcurrent(t *testing.T) {
	k := newTestKey(t)
	c, w := NewClient(k.Public()), NewWorker(k)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 300 {
				b, p, err := c.Seal(start, aRequest)
				if err != nil {
					t.Error(err)
					return
				}
				call, err := w.Open(start, b)
				if err != nil {
					t.Error(err)
					return
				}
				reply, err := call.Seal(Reply{Verdict: Mismatch})
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := p.Open(start, reply); err != nil || got.Verdict != Mismatch {
					t.Errorf("%+v, %v", got, err)
				}
				w.SetKeys(k)
			}
		})
	}
	all.Wait()
}

// Keys come and go while requests to the others pass.
func TestRotation(t *testing.T) {
	old, next := newTestKey(t), newTestKey(t)
	w := NewWorker(old)
	before, after := NewClient(old.Public()), NewClient(next.Public())
	try := func(c *Client, want error) {
		t.Helper()
		b, _, err := c.Seal(start, aRequest)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Open(start, b); err != want {
			t.Errorf("%v, want %v", err, want)
		}
	}
	try(before, nil)
	try(after, Refusal{Reason: UnknownKey})
	w.SetKeys(next, old)
	try(before, nil)
	try(after, nil)
	w.SetKeys(next)
	try(before, Refusal{Reason: UnknownKey})
	try(after, nil)
}

// The cost of the clear header is what the stored hash says.
func TestCostOf(t *testing.T) {
	for encoded, want := range map[string]Cost{
		"":       {},
		"broken": {},
		"$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy":                                      {1, 0, 0, 10},
		"$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc": {2, 1, 2, 19456},
		"$argon2i$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2FsdA$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc":  {3, 4, 3, 65536},
	} {
		if got := CostOf(encoded); got != want {
			t.Errorf("%q costs %+v, want %+v", encoded, got, want)
		}
	}
	for _, p := range []password.Policy{{}, password.Policy{Algorithm: password.Bcrypt, Cost: 10}, {Algorithm: password.Argon2id, Memory: 47104, Iterations: 1, Parallelism: 1}, {Algorithm: password.Scrypt, Cost: 4},
		{Algorithm: password.PBKDF2SHA512, Iterations: 1000}} {
		q := p
		if q.Algorithm == 0 {
			q = password.Default()
		}
		q.Limits = password.Limits{}
		encoded, err := password.Hash(q, []byte("p"))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := CostOfPolicy(p), CostOf(encoded); got != want || got.Algorithm == 0 {
			t.Errorf("%+v costs %+v, and its hash %s %+v", p, got, encoded[:20], want)
		}
	}
	if got := atMost[uint8](300); got != 255 {
		t.Errorf("300 becomes %d in a byte", got)
	}
	if got := atMost[uint16](-1); got != 0 {
		t.Errorf("-1 becomes %d", got)
	}
}
