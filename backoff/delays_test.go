// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package backoff

import (
	"maps"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"
)

// fixed is a policy whose delays are all exactly Base, since a range of one
// nanosecond is left to draw from.
func fixed(base time.Duration, attempts int) Policy {
	return Policy{Base: base, Cap: base + 1, Jitter: Decorrelated, Attempts: attempts}
}

// Ranges of a few nanoseconds are drawn from until each value must have come: that
// one of 5 stays away in 3000 draws has odds of 5·0.8^3000, below 10^-290.
func TestRangesExactly(t *testing.T) {
	upTo := func(low, high time.Duration) (all []time.Duration) {
		for d := low; d < high; d++ {
			all = append(all, d)
		}
		return all
	}
	for _, c := range []struct {
		name   string
		policy Policy
		want   [][]time.Duration // of the first delay, the second and so on
	}{
		{
			name:   "full",
			policy: Policy{Base: 2, Cap: 5},
			want:   [][]time.Duration{upTo(0, 2), upTo(0, 4), upTo(0, 5), upTo(0, 5)},
		},
		{
			name:   "full, Cap is Base",
			policy: Policy{Base: 3, Cap: 3},
			want:   [][]time.Duration{upTo(0, 3), upTo(0, 3)},
		},
		{
			name:   "full, one value",
			policy: Policy{Base: 1, Cap: 1},
			want:   [][]time.Duration{{0}, {0}},
		},
		{
			name:   "decorrelated",
			policy: Policy{Base: 2, Cap: 7, Jitter: Decorrelated},
			want:   [][]time.Duration{upTo(2, 6), upTo(2, 7), upTo(2, 7)},
		},
		{
			name:   "decorrelated, Cap below 3·Base",
			policy: Policy{Base: 2, Cap: 4, Jitter: Decorrelated},
			want:   [][]time.Duration{upTo(2, 4), upTo(2, 4)},
		},
		{
			name:   "decorrelated, one value",
			policy: fixed(9, 0),
			want:   [][]time.Duration{{9}, {9}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen := make([]map[time.Duration]bool, len(c.want))
			for i := range seen {
				seen[i] = make(map[time.Duration]bool)
			}
			for range 3000 {
				delays := c.policy.Delays()
				for i := range seen {
					delay, ok := delays.Next()
					if !ok {
						t.Fatalf("no delay %d, though Attempts is 0", i+1)
					}
					seen[i][delay] = true
				}
			}

			for i := range seen {
				if got := slices.Sorted(maps.Keys(seen[i])); !slices.Equal(got, c.want[i]) {
					t.Errorf("delay %d took the values %v; want %v", i+1, got, c.want[i])
				}
			}
		})
	}
}

// FuzzDelays compares the ranges with the formulas of the package documentation,
// in integers that can't overflow.
func FuzzDelays(f *testing.F) {
	f.Add(int64(100*time.Millisecond), int64(10*time.Second), uint8(5), false)
	f.Add(int64(100*time.Millisecond), int64(10*time.Second), uint8(5), true)
	f.Add(int64(1), int64(math.MaxInt64), uint8(200), false)
	f.Add(int64(1), int64(math.MaxInt64), uint8(200), true)
	f.Add(int64(math.MaxInt64), int64(math.MaxInt64), uint8(2), false)
	f.Add(int64(math.MaxInt64-1), int64(math.MaxInt64), uint8(2), true)
	f.Add(int64(math.MinInt64), int64(-1), uint8(0), true)
	f.Add(int64(0), int64(0), uint8(9), false)
	f.Add(int64(7), int64(7), uint8(9), true)
	f.Fuzz(func(t *testing.T, base, limit int64, n uint8, decorrelated bool) {
		p := Policy{Base: time.Duration(base), Cap: time.Duration(limit)}
		if decorrelated {
			p.Jitter = Decorrelated
		}
		p, err := p.withDefaults()
		valid := base >= 0 && limit >= 0 && p.Base <= p.Cap && !(decorrelated && p.Base == p.Cap)
		if valid != (err == nil) {
			t.Fatalf("%+v: %v; want an error: %v", p, err, !valid)
		}
		if err != nil {
			return
		}
		delays := p.Delays()
		low, previous := time.Duration(0), p.Base
		if decorrelated {
			low = p.Base
		}
		for i := range int(n) + 1 {
			high := new(big.Int)
			if decorrelated {
				high.Mul(big.NewInt(3), big.NewInt(int64(previous)))
			} else {
				high.Lsh(big.NewInt(int64(p.Base)), uint(i))
			}
			if c := big.NewInt(int64(p.Cap)); high.Cmp(c) > 0 {
				high = c
			}
			if got := big.NewInt(int64(delays.high)); got.Cmp(high) != 0 {
				t.Fatalf("%+v, delay %d: drawn below %v; want below %v", p, i+1, got, high)
			}
			delay, ok := delays.Next()
			if !ok || delay < low || big.NewInt(int64(delay)).Cmp(high) >= 0 {
				t.Fatalf("%+v, delay %d: %v, %v; want one in [%v, %v)", p, i+1, int64(delay), ok, int64(low), high)
			}
			previous = delay
		}
	})
}

// count returns how many delays are left, at most limit.
func count(d *Delays, limit int) (n int) {
	for n < limit {
		if _, ok := d.Next(); !ok {
			return n
		}
		n++
	}
	return n
}

func TestNumberOfDelays(t *testing.T) {
	for _, c := range []struct{ attempts, want int }{{1, 0}, {2, 1}, {5, 4}, {0, 1000}} {
		d := Policy{Base: 1, Attempts: c.attempts}.Delays()
		if got := count(&d, 1000); got != c.want {
			t.Errorf("%d attempts have %d delays; want %d", c.attempts, got, c.want)
		}
		if c.attempts == 0 {
			continue
		}
		if delay, ok := d.Next(); delay != 0 || ok { // and stays so
			t.Errorf("%d attempts, after the last delay: %v, %v; want 0, false", c.attempts, delay, ok)
		}
	}
	var zero Delays
	if delay, ok := zero.Next(); delay != 0 || ok {
		t.Errorf("the zero Delays holds %v, %v; want 0, false", delay, ok)
	}
}
