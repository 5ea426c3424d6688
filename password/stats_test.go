// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"testing"
	"time"

	"fount/password/internal/sched"
)

// Every reason that the scheduler knows appears in RefusedFor, so that it adds up.
func TestRefusalsAddUp(t *testing.T) {
	for reason := sched.Reason(1); reason < sched.Reasons; reason++ {
		if reason == sched.Off || reason == sched.Late || reason == sched.Evicted || reason == sched.Memory {
			continue // those are dropped, and counted as invalid
		}
		var c sched.Counts
		c.Refused[reason] = 1
		s := classStats(c)
		var sum uint64
		for f, i := reflect.ValueOf(s.RefusedFor), 0; i < f.NumField(); i++ {
			sum += f.Field(i).Uint()
		}
		if s.Refused != 1 || sum != 1 {
			t.Errorf("a refusal for %v counts %d, by reason %d; want 1 and 1", reason, s.Refused, sum)
		}
	}
}

func TestQuantile(t *testing.T) {
	h := emptyHistogram()
	h.Count = 100
	h.Counts[0], h.Counts[-HistogramOffset], h.Counts[HistogramBuckets-1] = 50, 49, 1
	for q, want := range map[float64]time.Duration{
		0: 61035, 0.5: 61035, 0.51: time.Second, 0.99: time.Second, 0.999: 128 * time.Second, 1: 128 * time.Second,
	} {
		if got := h.Quantile(q); got != want {
			t.Errorf("quantile %g is %v; want %v", q, got, want)
		}
	}
	if got := (Histogram{}).Quantile(0.5); got != 0 {
		t.Errorf("of nothing it is %v; want 0", got)
	}
}

func TestStatsOfHashes(t *testing.T) {
	p := newPool(t, Options{})
	encoded, err := Hash(Policy{Algorithm: Argon2id, Memory: 64, Iterations: 1}, []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []string{"", "", encoded} {
		p.Verify(t.Context(), Login{}, []byte("x"), e)
	}
	s := p.Stats()
	if len(s.Hashes) != 2 {
		t.Fatalf("%d kinds of hashes; want 2", len(s.Hashes))
	}
	for i, want := range []struct {
		algorithm, cost string
		count           uint64
	}{{"bcrypt", "4", 2}, {"argon2id", "m=64,t=1,p=1", 1}} {
		h := s.Hashes[i]
		if h.Algorithm != want.algorithm || h.Cost != want.cost ||
			h.Service.Count != want.count || h.Wait.Count != want.count {
			t.Errorf("hash %d is %s %s, served %d; want %+v", i, h.Algorithm, h.Cost, h.Service.Count, want)
		}
		// Of one hash, not of one of its units: within what the clock and the buckets can
		// be off, as long as those took.
		if most := 4 * h.Service.Quantile(1); h.Alone < most/64 || h.Alone > most || h.Drain < h.Alone/8 || h.Drain > most {
			t.Errorf("%s took %v; the estimates for one are %v alone, %v of the workers",
				h.Algorithm, h.Service.Quantile(1), h.Alone, h.Drain)
		}
	}
	b, err := json.Marshal(s)
	if err != nil || !bytes.Contains(b, []byte(`"cost":"m=64,t=1,p=1"`)) {
		t.Errorf("as JSON: %s, %v", b, err)
	}
}

// By algorithm, a snapshot has the same sums, and the rest is the same.
func TestStatsByAlgorithm(t *testing.T) {
	p := newPool(t, Options{})
	for i := range 9 {
		encoded, err := Hash(Policy{Algorithm: PBKDF2SHA256 + Algorithm(i%2), Iterations: 1 + i}, []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		p.Verify(t.Context(), Login{}, []byte("x"), encoded)
	}
	p.Verify(t.Context(), Login{}, []byte("x"), "")
	p.Close(t.Context()) // no worker has anything any more
	all, sums := p.Stats(), p.StatsByAlgorithm()
	want := maps.Collect(all.Algorithms())
	if got := maps.Collect(sums.Algorithms()); !reflect.DeepEqual(got, want) || want[PBKDF2SHA256].Service.Count != 5 {
		t.Errorf("got %v, want %v", got, want)
	}
	for a, sum := range all.Algorithms() { // again: the sums were not added to the rows
		var n uint64
		for _, c := range sum.Service.Counts {
			n += c
		}
		if n != sum.Service.Count {
			t.Errorf("asked again, %v has %d hashes in its buckets and counts %d", a, n, sum.Service.Count)
		}
	}
	if len(all.Hashes) != 10 || len(sums.Hashes) != 3 {
		t.Errorf("%d and %d rows; want 10 and 3", len(all.Hashes), len(sums.Hashes))
	}
	for _, h := range sums.Hashes {
		if h.Cost != "other" || h.Alone != 0 || h.Drain != 0 {
			t.Errorf("%s has cost %q and estimates %v, %v", h.Algorithm, h.Cost, h.Alone, h.Drain)
		}
	}
	for _, s := range []*Stats{&all, &sums} { // what differs between two moments
		s.Hashes, s.Time = nil, time.Time{}
	}
	if !reflect.DeepEqual(all, sums) {
		t.Errorf("by algorithm %+v, want %+v", sums, all)
	}
}

func TestCostString(t *testing.T) {
	for want, k := range map[string]sched.Kind{
		"10":            {Algorithm: uint8(Bcrypt), Cost: [3]uint32{10}},
		"m=64,t=3,p=4":  {Algorithm: uint8(Argon2d), Cost: [3]uint32{64, 3, 4}},
		"ln=17,r=8,p=1": {Algorithm: uint8(Scrypt), Cost: [3]uint32{17, 8, 1}},
		"i=600000":      {Algorithm: uint8(PBKDF2SHA512), Cost: [3]uint32{600000}},
		"other":         {Algorithm: uint8(Bcrypt)},
	} {
		if got := costString(k); got != want {
			t.Errorf("%+v is %q; want %q", k, got, want)
		}
	}
}
