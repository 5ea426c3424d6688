// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

// What a broker can try, tried on the protocol.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fount"
	"fount/internal/test/mutant"
	"fount/password"
)

var start = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func newTestKey(t testing.TB) Key {
	t.Helper()
	k, err := NewKey(start)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// trial is what a broker tries. It returns how it succeeded, "" if it did not.
type trial func(t *testing.T, messages int) string

var trials = map[string]trial{"flip": flip, "swap": swap, "replay": replay, "record": record, "twice": twice}

func TestBroker(t *testing.T) {
	messages := 20_000
	switch {
	case os.Getenv("FOUNT_LONG") != "":
		messages = 100_000 // 5 s of a core
	case race:
		messages = 10_000
	}
	for name, try := range trials {
		t.Run(name, func(t *testing.T) {
			if found := try(t, messages); found != "" {
				t.Error(found)
			}
		})
	}
}

// The trials find a protocol whose replies to one request share a key.
func TestControlReplySalt(t *testing.T) {
	mutant.Fails(t, "seal.go", "append(context, salt...)", "append(context, make([]byte, len(salt))...)", "^TestBroker$")
}

var aRequest = Request{
	Kind: Verify, Left: time.Second, Cost: Cost{Algorithm: 1, Size: 10}, Password: []byte("correct horse battery staple"),
	Encoded: "$2b$10$abcdefghijklmnopqrstuuu3W1b0zZ0JUk6ku3Cb1kYvn1FSJlLqq", Principal: "192.0.2.7",
}

// flip flips each bit of a request and of its reply (each seventh of the request's with the race detector).
func flip(t *testing.T, _ int) string {
	k := newTestKey(t)
	c, w, now := NewClient(k.Public()), NewWorker(k), start
	send := func() ([]byte, *Pending) {
		b, p, err := c.Seal(now, aRequest)
		if err != nil {
			t.Fatal(err)
		}
		return b, p
	}
	first, _ := send() // the encapsulation is remembered
	if _, err := w.Open(now, first); err != nil {
		t.Fatal(err)
	}
	request, _ := send()
	step := 1
	if race { // each decapsulation takes ten times as long
		step = 7
	}
	for bit := 0; bit < len(request)*8; bit += step {
		if at := bit / 8; at >= 4 && at < 12 || at >= headerSize && at < headerSize+encapsulatedSize {
			now = now.Add(time.Second / rate) // it takes a decapsulation
		}
		request[bit/8] ^= 1 << (bit % 8)
		_, err := w.Open(now, request)
		request[bit/8] ^= 1 << (bit % 8)
		if err == nil {
			return fmt.Sprintf("a request with byte %d changed opens", bit/8)
		}
		if _, ok := errors.AsType[Refusal](err); !ok {
			t.Fatalf("byte %d: %v; want a Refusal", bit/8, err)
		}
	}
	if first := now.Sub(start); first > remember {
		t.Fatalf("%v have passed: the encapsulation was forgotten", first)
	}
	request, pending := send()
	call, err := w.Open(now, request)
	if err != nil {
		t.Fatalf("the request as it was: %v", err)
	}
	reply, err := call.Seal(Reply{Verdict: Match})
	if err != nil {
		t.Fatal(err)
	}
	for bit := range len(reply) * 8 {
		reply[bit/8] ^= 1 << (bit % 8)
		got, err := pending.Open(now, reply)
		reply[bit/8] ^= 1 << (bit % 8)
		if err == nil {
			return fmt.Sprintf("a reply with byte %d changed opens as %+v", bit/8, got)
		}
	}
	if got, err := pending.Open(now, reply); err != nil || got.Verdict != Match {
		t.Fatalf("the reply as it was: %+v, %v", got, err)
	}
	return ""
}

// swap hands replies to other requests than theirs, of the same encapsulation and of others, and forges some.
func swap(t *testing.T, _ int) string {
	k := newTestKey(t)
	w := NewWorker(k)
	clients := []*Client{NewClient(k.Public()), NewClient(k.Public())}
	var pending []*Pending
	var replies [][]byte
	for i := range 12 {
		b, p, err := clients[i%2].Seal(start, aRequest)
		if err != nil {
			t.Fatal(err)
		}
		call, err := w.Open(start, b)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := call.Seal(Reply{Verdict: Match})
		if err != nil {
			t.Fatal(err)
		}
		pending, replies = append(pending, p), append(replies, reply)
	}
	for i, p := range pending {
		for j, reply := range replies {
			if _, err := p.Open(start, reply); err == nil && i != j {
				return fmt.Sprintf("the reply to request %d opens as that to request %d", j, i)
			} else if i == j && err != nil {
				t.Fatalf("its own reply: %v", err)
			} else if i != j && !errors.Is(err, ErrForged) {
				t.Fatalf("another's reply: %v; want ErrForged", err)
			}
		}
		// A worker with another key, or somebody who has only what passes the broker, makes these.
		for _, forged := range [][]byte{nil, {Major}, {Major, Minor, formSealed}, make([]byte, ReplySize), bytes.Repeat([]byte{Major}, ReplySize),
			replies[i][:ReplySize-1], append(bytes.Clone(replies[i]), 0)} {
			if got, err := p.Open(start, forged); err == nil {
				return fmt.Sprintf("forged bytes open as %+v", got)
			}
		}
	}
	return ""
}

// replay sends requests again, in another order and later, for as long as the worker remembers.
func replay(t *testing.T, _ int) string {
	k := newTestKey(t)
	c, w := NewClient(k.Public()), NewWorker(k)
	var requests [][]byte
	for i := range 100 {
		r := aRequest
		r.Left = MaxLeft
		b, _, err := c.Seal(start.Add(time.Duration(i)*time.Millisecond), r)
		if err != nil {
			t.Fatal(err)
		}
		requests = append(requests, b)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(requests), func(i, j int) { requests[i], requests[j] = requests[j], requests[i] })
	for _, b := range requests {
		if _, err := w.Open(start.Add(time.Second), b); err != nil {
			t.Fatalf("for the first time: %v", err)
		}
	}
	for _, after := range []time.Duration{0, time.Second, lifetime, remember - time.Second} {
		for _, b := range requests {
			_, err := w.Open(start.Add(time.Second+after), b)
			if err == nil {
				return fmt.Sprintf("a request that was answered opens again %v later", after)
			}
			if r, ok := errors.AsType[Refusal](err); !ok || r.Reason != Repeated {
				t.Fatalf("%v; want Repeated", err)
			}
		}
	}
	return ""
}

// twice hands one request to two workers with the same key, as a broker may. Their replies must share no key, or the two
// differ where what they say differs.
func twice(t *testing.T, _ int) string {
	k := newTestKey(t)
	c := NewClient(k.Public())
	b, _, err := c.Seal(start, aRequest)
	if err != nil {
		t.Fatal(err)
	}
	var replies [2][]byte
	for i := range replies {
		call, err := NewWorker(k).Open(start, bytes.Clone(b))
		if err != nil {
			t.Fatal(err)
		}
		if replies[i], err = call.Seal(Reply{Verdict: Match}); err != nil {
			t.Fatal(err)
		}
	}
	const sealed = replyHeader + saltSize
	if bytes.Equal(replies[0][sealed:ReplySize-tagSize], replies[1][sealed:ReplySize-tagSize]) {
		return "two workers seal one verdict alike"
	}
	return ""
}

// record records n messages in each direction and searches them for what was in them.
func record(t *testing.T, n int) string {
	k := newTestKey(t)
	c, w, now := NewClient(k.Public()), NewWorker(k), start

	var secrets []Request // of 64 users, two of whom have one password
	for i := range 64 {
		r := aRequest
		r.Password = []byte(fount.Text() + strings.Repeat("long ", i%7*20))
		r.Encoded = "$2b$10$" + strings.ReplaceAll(fount.Text()+fount.Text(), "-", "/")[:52]
		r.Principal = "2001:db8::" + fount.Text()
		r.Class = password.Class(i % 3)
		secrets = append(secrets, r)
	}
	secrets[1].Password = secrets[0].Password
	w8 := windows{}
	for _, r := range secrets {
		w8.add(r.Password)
		w8.add([]byte(r.Encoded))
		w8.add([]byte(r.Principal))
	}

	nonces := map[[nonceSize + 8]byte]bool{} // with the end of the encapsulated key
	salts := map[[16]byte]bool{}
	ones := [2][(ReplySize - replyHeader) * 8]int32{} // by verdict: how often each bit of the reply was set
	verdicts := [2]int{}
	for i := range n {
		now = now.Add(100 * time.Microsecond)
		r := secrets[i%len(secrets)]
		if i%5 == 4 {
			r.Encoded = "" // an unknown user
		}
		b, p, err := c.Seal(now, r)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) != RequestSize {
			return fmt.Sprintf("a request of %d bytes among those of %d", len(b), RequestSize)
		}
		if at := w8.in(b); at >= 0 {
			return fmt.Sprintf("request %d holds at byte %d: %q", i, at, b[at:at+8])
		}
		var nonce [nonceSize + 8]byte
		copy(nonce[:], b[headerSize+encapsulatedSize-8:])
		if nonces[nonce] {
			return fmt.Sprintf("request %d has a nonce that its encapsulation has used", i)
		}
		nonces[nonce] = true

		call, err := w.Open(now, b)
		if err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
		if !bytes.Equal(call.Request.Password, r.Password) || call.Request.Encoded != r.Encoded {
			t.Fatalf("request %d arrives as %+v", i, call.Request)
		}
		reply := Reply{Verdict: Mismatch, Policy: r.Cost}
		if i%2 == 0 {
			reply = Reply{Verdict: Match, NeedsRehash: i%3 == 0, Policy: r.Cost}
			if i%3 == 0 {
				reply.Encoded = r.Encoded
			}
		}
		b, err = call.Seal(reply)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) != ReplySize {
			return fmt.Sprintf("a reply of %d bytes among those of %d", len(b), ReplySize)
		}
		if at := w8.in(b); at >= 0 {
			return fmt.Sprintf("reply %d holds at byte %d: %q", i, at, b[at:at+8])
		}
		if !slices.Equal(b[:replyHeader], []byte{Major, Minor, formSealed}) {
			return fmt.Sprintf("reply %d begins with %v", i, b[:replyHeader])
		}
		salt := [16]byte(b[replyHeader:])
		if salts[salt] {
			return fmt.Sprintf("reply %d has a salt that was used", i)
		}
		salts[salt] = true
		set := &ones[reply.Verdict-Match]
		verdicts[reply.Verdict-Match]++
		for j, x := range b[replyHeader:] {
			for k := range 8 {
				set[j*8+k] += int32(x >> k & 1)
			}
		}
		got, err := p.Open(now, b)
		if err != nil || got != reply {
			t.Fatalf("reply %d arrives as %+v, %v", i, got, err)
		}
	}
	// A bit of a sealed reply says nothing of the verdict: in 4,480 bits 6.5 standard deviations come up by chance once in
	// three million runs.
	for bit := range ones[0] {
		a, b := float64(ones[0][bit]), float64(ones[1][bit])
		na, nb := float64(verdicts[0]), float64(verdicts[1])
		if z := (a/na - b/nb) / math.Sqrt(0.25/na+0.25/nb); math.Abs(z) > 6.5 {
			return fmt.Sprintf("bit %d of byte %d tells verdicts apart, by %.0f standard deviations", bit%8, replyHeader+bit/8, z)
		}
	}
	return ""
}

// windows are all windows of 8 bytes of some secrets. In 10^5 messages of two times 4 KB a false one comes up by chance once in
// a million runs.
type windows struct {
	all   map[uint64]bool
	first [1 << 16]bool // by their first two bytes
}

func (w *windows) add(secret []byte) {
	if w.all == nil {
		w.all = map[uint64]bool{}
	}
	for i := range len(secret) - 7 {
		x := binary.LittleEndian.Uint64(secret[i:])
		w.all[x], w.first[uint16(x)] = true, true
	}
}

// in returns where one of the windows stands, -1 if none does.
func (w *windows) in(b []byte) int {
	for i := range len(b) - 7 {
		if x := binary.LittleEndian.Uint64(b[i:]); w.first[uint16(x)] && w.all[x] {
			return i
		}
	}
	return -1
}

// The search finds what it is to find.
func TestWindows(t *testing.T) {
	w := windows{}
	w.add([]byte("correct horse"))
	if at := w.in([]byte("....rect hors....")); at != 4 {
		t.Errorf("found at %d, want 4", at)
	}
	if at := w.in([]byte("....rect hos....")); at != -1 {
		t.Errorf("found at %d, want nowhere", at)
	}
}
