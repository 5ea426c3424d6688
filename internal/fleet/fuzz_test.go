// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"bytes"
	"errors"
	"testing"
	"time"
)

// Whatever arrives, a worker answers with a Refusal or a Call, and opens nothing but what was sealed.
func FuzzOpen(f *testing.F) {
	k, good, _ := recorded(f) // the same in each of the fuzzer's processes
	f.Add(good)
	f.Add(good[:headerSize])
	f.Add([]byte{Major, 1, 255, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		call, err := NewWorker(k).Open(start, b)
		if err == nil {
			if !bytes.Equal(b, good) {
				t.Fatalf("forged: %+v", call.Request)
			}
			return
		}
		refusal, ok := errors.AsType[Refusal](err)
		if !ok {
			t.Fatalf("%v; want a Refusal", err)
		}
		if got, ok := parseRefusal(refusal.AppendTo(nil)); !ok || got != refusal {
			t.Fatalf("%v arrives as %v", refusal, got)
		}
	})
}

// Whatever arrives, a client takes nothing but the reply to its request.
func FuzzReply(f *testing.F) {
	k, b, good := recorded(f)
	p := pendingOf(f, k, b)
	f.Add(good)
	f.Add(good[:replyHeader+saltSize])
	f.Add(Refusal{Busy, time.Second}.AppendTo(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := p.Open(start, b)
		if err == nil && !bytes.Equal(b, good) {
			t.Fatalf("forged: %+v", r)
		}
		if refusal, ok := errors.AsType[Refusal](err); ok && (refusal.After < 0 || refusal.After > MaxLeft) {
			t.Fatalf("wait %v", refusal.After)
		}
	})
}

// Sealed fields that a worker reads are those that it would write, but for unknown ones and their order: a client that lies
// reaches nothing beyond the limits.
func FuzzFields(f *testing.F) {
	b, err := aRequest.appendTo(make([]byte, 0, requestSize), 1, 2)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b[:100])
	f.Add(appendField(nil, critical|9, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		r := Request{Kind: Verify}
		sequence, age, err := r.parse(b)
		if err == nil {
			again, err := r.appendTo(make([]byte, 0, requestSize), sequence, age)
			if err != nil {
				t.Fatal(err)
			}
			got := Request{Kind: Verify}
			s, a, err := got.parse(again)
			if err != nil || s != sequence || a != age || !bytes.Equal(got.Password, r.Password) || got.Encoded != r.Encoded ||
				got.Principal != r.Principal || got.Class != r.Class || got.Upgrade != r.Upgrade {
				t.Fatalf("%+v, %d, %d is again %+v, %d, %d, %v", r, sequence, age, got, s, a, err)
			}
		}
		var reply Reply
		if err := reply.parse(b, Verify); err == nil {
			again, err := reply.appendTo(make([]byte, 0, replySize))
			if err != nil {
				t.Fatal(err)
			}
			var got Reply
			if err := got.parse(again, Verify); err != nil || got != reply {
				t.Fatalf("%+v is again %+v, %v", reply, got, err)
			}
		}
	})
}

// A key file that is read has one meaning: what is written of it is read again.
func FuzzKeys(f *testing.F) {
	text, err := appendKeys(nil, []Key{newTestKey(f), newTestKey(f)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(newTestKey(f).Public().String()))
	f.Fuzz(func(t *testing.T, text []byte) {
		if keys, err := ParseKeys(text); err == nil {
			again, err := appendKeys(nil, keys)
			if err != nil {
				t.Fatal(err)
			}
			for line := range bytes.Lines(again) {
				if line[0] != '#' && !bytes.Contains(text, bytes.TrimSuffix(line, []byte("\n"))) {
					t.Fatalf("a line that the file does not have: %s", line[:len(secretWord)+17])
				}
			}
		}
		if p, err := ParsePublicKey(string(text)); err == nil && p.String() != string(bytes.TrimSpace(text)) {
			t.Fatalf("a public key that is written otherwise: %s", p.ID)
		}
	})
}
