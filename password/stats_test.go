// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/password/internal/sched"
)

// Every reason that the scheduler knows appears in RefusedFor, so that it adds up.
func TestRefusalsAddUp(t *testing.T) {
	for reason := sched.Reason(1); reason < sched.Reasons; reason++ {
		if reason == sched.Late || reason == sched.Evicted || reason == sched.Memory {
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

// Total adds every number.
func TestTotal(t *testing.T) {
	var one ClassStats
	fill(reflect.ValueOf(&one).Elem(), 1)
	var three ClassStats
	fill(reflect.ValueOf(&three).Elem(), 3)
	if got := (Stats{ChangePassword: one, SignIn: one, Rehash: one}).Total(); !reflect.DeepEqual(got, three) {
		t.Errorf("three times one is %+v", got)
	}
}

// fill sets all numbers to n, and gives all lists their full length.
func fill(v reflect.Value, n int64) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Interface().(type) {
		case []OutcomeStats:
			for o := range Outcomes() {
				s := OutcomeStats{Outcome: o, Count: uint64(n)}
				for r := range o.Reasons() {
					s.Reasons = append(s.Reasons, ReasonStats{r, uint64(n)})
				}
				fill(reflect.ValueOf(&s.Total).Elem(), n)
				f.Set(reflect.Append(f, reflect.ValueOf(s)))
			}
		case []uint64:
			f.Set(reflect.ValueOf(slices.Repeat([]uint64{uint64(n)}, HistogramBuckets)))
		case int, time.Duration:
			f.SetInt(n)
		case uint64:
			f.SetUint(uint64(n))
		default:
			fill(f, n)
		}
	}
}

// What the scheduler says of overloads and memory stands under its own name.
func TestStatsOfScheduler(t *testing.T) {
	p := newPool(t, Options{})
	s := p.statsOf(sched.Stats{
		Workers: 1, Busy: 2, Memory: 3, Held: 4, MaxWait: 5, Backlog: 6, Overload: 7,
		Strain: sched.Strain{Began: 8, Time: 9}, Widths: []uint64{10},
	})
	got := []int64{
		int64(s.Workers), int64(s.Busy), s.Memory, s.MemoryInUse, int64(s.MaxWait), int64(s.Wait), int64(s.Overload),
		int64(s.Overloads), int64(s.OverloadTime), int64(s.Lanes[0]),
	}
	if want := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
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

// One line when an overload begins and one when it has ended, and what they
// advise.
func TestOverloadLines(t *testing.T) {
	var out bytes.Buffer
	p := newPool(t, Options{Logger: slog.New(slog.NewTextHandler(&out, nil))})
	var s sched.Stats
	s.Workers, s.Busy = 2, 2
	s.Classes[1].Queued = 17
	s.Backlog = 900 * time.Millisecond
	s.Overload = time.Second
	s.Classes[1].Refused[sched.Deadline] = 1000 // before
	p.overload(true, s)
	line := out.String()
	for _, want := range []string{"level=WARN", "depth=17", "wait=900ms", "workers=2", "advice="} {
		if !strings.Contains(line, want) || strings.Count(line, "\n") != 1 {
			t.Errorf("at the beginning: %q; want one line with %s", line, want)
		}
	}
	out.Reset()
	s.Classes[1].Queued = 0
	s.Classes[1].Refused[sched.Share] = 90
	s.Classes[1].Refused[sched.Deadline] = 1010
	s.Classes[1].Dropped = 3
	s.Overload = 7 * time.Second
	p.overload(false, s)
	line = out.String()
	for _, want := range []string{"level=INFO", "depth=0", "lasted=7s", "refused=100", "dropped=3", "one principal"} {
		if !strings.Contains(line, want) || strings.Count(line, "\n") != 1 {
			t.Errorf("at the end: %q; want one line with %s", line, want)
		}
	}
}

// A refusal for want of time is what begins an overload.
func TestOverloadIsLogged(t *testing.T) {
	lines := make(chan string, 10)
	p := newPool(t, Options{
		Policy: Policy{Algorithm: Bcrypt, Cost: 8}, Workers: 1, MaxWait: time.Millisecond,
		Logger: slog.New(slog.NewTextHandler(lineWriter(lines), nil)),
	})
	for range 20 {
		go p.Verify(t.Context(), Login{}, []byte("x"), "")
	}
	if line := <-lines; !strings.Contains(line, "password pool overloaded") {
		t.Errorf("the first line is %q", line)
	}
}

type lineWriter chan string

func (w lineWriter) Write(b []byte) (int, error) {
	w <- string(b)
	return len(b), nil
}

func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		stats   Stats
		refused RefusedFor
		want    string
	}{
		{Stats{}, RefusedFor{Share: 3, Deadline: 1, Queue: 1}, "one principal"},
		{Stats{}, RefusedFor{Queue: 3, Deadline: 1}, "Options.Queue"},
		{Stats{Memory: 100, MemoryInUse: 90, Busy: 3, Workers: 8}, RefusedFor{Deadline: 1}, "Options.Memory"},
		{Stats{Memory: 100, MemoryInUse: 90, Busy: 8, Workers: 8}, RefusedFor{Deadline: 1}, "cores or machines"},
		{Stats{}, RefusedFor{Deadline: 1}, "cores or machines"},
	} {
		if got := advice(c.stats, c.refused); !strings.Contains(got, c.want) {
			t.Errorf("%+v, refused %+v: %q; want it to speak of %q", c.stats, c.refused, got, c.want)
		}
	}
}
