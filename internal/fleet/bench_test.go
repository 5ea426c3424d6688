// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"testing"
	"time"
)

// What the two ends of a message cost. A request's password has 28 bytes; all requests have one size.
func BenchmarkEnds(b *testing.B) {
	k := newTestKey(b)
	c, w := NewClient(k.Public()), NewWorker(k)
	requests, pending := make([][]byte, requestsEach), make([]*Pending, requestsEach)
	var err error
	for i := range requests {
		if requests[i], pending[i], err = c.Seal(start, aRequest); err != nil {
			b.Fatal(err)
		}
	}
	must := func(b *testing.B, err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("seal/first", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _, err := NewClient(c.to).Seal(start, aRequest)
			must(b, err)
		}
	})
	b.Run("seal/later", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() { // one in 1,024 is a first
			_, _, err := c.Seal(start, aRequest)
			must(b, err)
		}
	})
	b.Run("open/first", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := NewWorker(k).Open(start, requests[0])
			must(b, err)
		}
	})
	b.Run("open/later", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if i%requestsEach == 0 {
				for _, e := range w.memory.entries {
					clear(e.seen[:])
				}
			}
			_, err := w.Open(start, requests[i%requestsEach])
			must(b, err)
		}
	})
	call, err := NewWorker(k).Open(start, requests[0])
	must(b, err)
	reply, err := call.Seal(Reply{Verdict: Match})
	must(b, err)
	b.Run("reply/seal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := call.Seal(Reply{Verdict: Match})
			must(b, err)
		}
	})
	b.Run("reply/open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := pending[0].Open(start, reply)
			must(b, err)
		}
	})
	b.Run("refuse", func(b *testing.B) { // by the clear header
		b.ReportAllocs()
		sent := make([]byte, 0, refusalSize)
		for b.Loop() {
			h, err := ParseHeader(requests[0])
			must(b, err)
			sent = Refusal{Busy, h.Left}.AppendTo(sent[:0])
		}
	})
	b.Run("refuse/receive", func(b *testing.B) {
		sent := Refusal{Busy, time.Second}.AppendTo(nil)
		for b.Loop() {
			if _, err := pending[0].Open(start, sent); err == nil {
				b.Fatal("no error")
			}
		}
	})
}
