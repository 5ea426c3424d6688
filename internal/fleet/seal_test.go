// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fount/internal/test/require"
)

func newTestKey(t testing.TB) Key {
	t.Helper()
	k, err := NewKey()
	require.NoError(t, err)
	return k
}

func held(keys ...Key) map[KeyID]Key {
	m := map[KeyID]Key{}
	for _, k := range keys {
		m[k.ID] = k
	}
	return m
}

func sealed(t testing.TB, k Key, body []byte) ([]byte, *ReplyKey) {
	t.Helper()
	request, pending, err := k.Public().Seal(Verify, body)
	require.NoError(t, err)
	return request, pending
}

func opened(t testing.TB, k Key, request []byte) *Request {
	t.Helper()
	call, refusal := Open(held(k), request)
	if refusal != 0 {
		t.Fatal(refusal)
	}
	return call
}

func replied(t testing.TB, c *Request, body []byte) []byte {
	t.Helper()
	reply, err := c.Seal(200, body)
	require.NoError(t, err)
	return reply
}

// Bodies of all lengths arrive, and short ones can't be told apart by the messages' sizes.
func TestThereAndBack(t *testing.T) {
	k := newTestKey(t)
	sizes := map[int]int{}
	for _, n := range []int{0, 1, 500, 2000, 2044, 2045, 9000, maxBody} {
		body := bytes.Repeat([]byte{'x'}, n)
		request, pending := sealed(t, k, body)
		call := opened(t, k, request)
		if call.Op != Verify || !bytes.Equal(call.Body, body) {
			t.Errorf("%d bytes: operation %d with %d bytes", n, call.Op, len(call.Body))
		}
		status, got, err := pending.Open(replied(t, call, body))
		if err != nil || status != 200 || !bytes.Equal(got, body) {
			t.Errorf("%d bytes back: %d, %d bytes, %v", n, status, len(got), err)
		}
		sizes[len(request)]++
		call.Wipe()
		if n > 0 && call.Body[0] != 0 {
			t.Error("the body is not wiped")
		}
	}
	if len(sizes) != 3 {
		t.Errorf("%d sizes of requests, want 3: %v", len(sizes), sizes)
	}
	if _, _, err := k.Public().Seal(Verify, make([]byte, maxBody+1)); err == nil {
		t.Error("a longer body was sealed")
	}
}

// Whatever bit of a message changes, it does not open.
func TestDamage(t *testing.T) {
	k := newTestKey(t)
	request, pending := sealed(t, k, []byte("secret"))
	reply := replied(t, opened(t, k, request), []byte("answer"))
	flip := func(b []byte, i int) []byte {
		b = bytes.Clone(b)
		b[i] ^= 1 << rand.IntN(8)
		return b
	}
	for i := 0; i < len(request); i += 1 + i/64 { // fewer in the long parts
		if _, refusal := Open(held(k), flip(request, i)); refusal == 0 {
			t.Errorf("byte %d of a request changed, and it opens", i)
		}
	}
	for i := range reply {
		if _, _, err := pending.Open(flip(reply, i)); err == nil {
			t.Errorf("byte %d of a reply changed, and it opens", i)
		}
	}
	for n := range len(request) {
		if _, refusal := Open(held(k), request[:n]); refusal == 0 {
			t.Errorf("%d bytes of a request open", n)
		}
	}
}

// A reply answers its own request alone, also where another has the same contents.
func TestRepliesAreBound(t *testing.T) {
	k := newTestKey(t)
	first, pending := sealed(t, k, []byte("a"))
	second, _ := sealed(t, k, []byte("a"))
	if _, _, err := pending.Open(replied(t, opened(t, k, second), nil)); !errors.Is(err, ErrForged) {
		t.Errorf("another request's reply: %v", err)
	}
	// Two workers answer one request: their replies have keys of their own.
	a, b := replied(t, opened(t, k, first), []byte("yes")), replied(t, opened(t, k, first), []byte("yes"))
	if bytes.Equal(a[replyHeader+saltSize:], b[replyHeader+saltSize:]) {
		t.Error("two replies to one request are the same")
	}
}

// What can't be opened is refused with the reason, which the client reads.
func TestRefusals(t *testing.T) {
	k := newTestKey(t)
	request, pending := sealed(t, k, nil)
	older := bytes.Clone(request)
	older[0] = 1
	for name, c := range map[string]struct {
		request []byte
		keys    map[KeyID]Key
		want    Refusal
	}{
		"another key":     {request: request, keys: held(newTestKey(t)), want: UnknownKey},
		"another version": {request: older, keys: held(k), want: OtherVersion},
		"nothing":         {keys: held(k), want: Unreadable},
		"too long":        {request: append([]byte{version}, make([]byte, maxMessage)...), keys: held(k), want: Unreadable},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(c.keys, c.request)
			if err != c.want {
				t.Errorf("%v, want %v", err, c.want)
			}
			if _, _, err := pending.Open(c.want.Reply()); err != c.want {
				t.Errorf("the client reads %v, want %v", err, c.want)
			}
		})
	}
}

func TestNews(t *testing.T) {
	for _, n := range []News{{Worker: NewWorkerID(), Wait: time.Second}, {Worker: NewWorkerID(), Draining: true}, {Wait: time.Hour}} {
		if got, err := ParseNews(n.Append(nil)); err != nil || got != n {
			t.Errorf("%+v, %v; want %+v", got, err, n)
		}
	}
}

// Whatever a broker brings, it is read or refused.
func FuzzOpen(f *testing.F) {
	k := newTestKey(f)
	request, pending := sealed(f, k, []byte("a"))
	f.Add(request)
	f.Add(Busy.Reply())
	f.Add(News{Wait: time.Second}.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if call, err := Open(held(k), b); (call == nil) == (err == 0) {
			t.Errorf("%v, %v", call, err)
		}
		if _, _, err := pending.Open(b); err == nil {
			t.Error("a reply that nobody has sealed opens")
		}
		ParseNews(b)
	})
}

func written(t *testing.T, keys ...Key) string {
	t.Helper()
	text, err := AppendKeys(nil, keys)
	require.NoError(t, err)
	return string(text)
}

// Keys that were written are read, and open what is sealed to the public key of their line.
func TestKeysThereAndBack(t *testing.T) {
	first, second := newTestKey(t), newTestKey(t)
	keys, err := ParseKeys([]byte("\n# a comment\n" + written(t, first, second) + "\n"))
	if err != nil || len(keys) != 2 || keys[0].ID != first.ID || keys[1].ID != second.ID {
		t.Fatalf("%v, %v", keys, err)
	}
	line := first.Public().String()
	public, err := ParsePublicKey(line + "\n")
	if err != nil || len(line) != 1662 {
		t.Fatalf("%v; %d characters", err, len(line))
	}
	b, _, err := public.Seal(Verify, nil)
	require.NoError(t, err)
	if _, refusal := Open(held(keys...), b); refusal != 0 {
		t.Error(refusal)
	}
}

// What is not a key as it was written is refused, and no error holds a part of a secret.
func TestParseKeysStrictly(t *testing.T) {
	text := written(t, newTestKey(t), newTestKey(t))
	lines := strings.Split(text, "\n") // the first one is a comment
	first := lines[1]
	id, seed, _ := strings.Cut(strings.TrimPrefix(first, secretWord+" "), " ")
	otherID := strings.Fields(lines[2])[1]
	public := newTestKey(t).Public().String()

	refused := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), seed[:8]) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	for bad, want := range map[string]string{
		"":                                     "no key in the file",
		public:                                 "not a key",
		first + " ":                            "not a key",
		first + "\n" + first:                   "for the second time",
		strings.Replace(first, id, otherID, 1): "its ID is",
		strings.Replace(first, seed, seed[4:], 1): "a damaged key",
	} {
		_, err := ParseKeys([]byte(bad))
		refused(err, want)
	}
	for bad, want := range map[string]string{
		text:                                  "this is a secret key",
		first:                                 "this is a secret key",
		public[:len(public)-4]:                "a damaged key",
		strings.Replace(public, " ", " 0", 1): "its ID is",
	} {
		_, err := ParsePublicKey(bad)
		refused(err, want)
	}
}
