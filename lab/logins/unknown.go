// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// Whether the time of an answer reveals that there is no such user.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"fount"
	"fount/lab/measure"
	"fount/password"
)

// UnknownTerms say how to measure the times.
type UnknownTerms struct {
	Cost    int `json:"cost"`    // of bcrypt; the cheapest shows best what is not the hash
	Pairs   int `json:"pairs"`   // of an unknown user and a known one
	Control int `json:"control"` // pairs with a known user of the next cost
}

// DefaultUnknown is 10,000 of each at cost 4.
func DefaultUnknown() UnknownTerms { return UnknownTerms{Cost: 4, Pairs: 10_000, Control: 1_000} }

// An UnknownReport is the result.
type UnknownReport struct {
	UnknownTerms
	HashNS     float64     `json:"hash_ns"` // median time of a known user's mismatch
	Unknown    Comparison  `json:"unknown"` // unknown against known
	Same       Comparison  `json:"same"`    // known against known: what chance does
	Other      Comparison  `json:"other"`   // known of the next cost against known: must be seen
	Conditions []Condition `json:"conditions"`
}

// A Comparison is how much longer one kind of call takes than another, from pairs of calls made one after the other, in
// an order that is drawn. The two of a pair meet the same machine.
type Comparison struct {
	Pairs    int     `json:"pairs"`
	Median   float64 `json:"median_ns"` // of the differences, and its 99 % interval, whatever their distribution
	Low      float64 `json:"low_ns"`
	High     float64 `json:"high_ns"`
	Mean     float64 `json:"mean_ns"` // of the differences, and its 99 % interval
	MeanLow  float64 `json:"mean_low_ns"`
	MeanHigh float64 `json:"mean_high_ns"`
	Effect   float64 `json:"effect"` // mean by standard deviation of a difference (Cohen's d of pairs)
	Longer   float64 `json:"longer"` // part of the pairs in which the first kind took longer; a half: no difference
}

// Measure makes one call at a time, so that its time is the call's alone. It calls progress with the number of pairs done.
func (terms UnknownTerms) Measure(ctx context.Context, progress func(done, of int)) (*UnknownReport, error) {
	job, err := NewJob(Bcrypt, terms.Cost)
	if err != nil {
		return nil, err
	}
	dearer, err := NewJob(Bcrypt, terms.Cost+1)
	if err != nil {
		return nil, err
	}
	p, err := password.NewPool(password.Options{Policy: job.Policy, NoRehash: true})
	if err != nil {
		return nil, err
	}
	done, of := 0, 2*terms.Pairs+terms.Control
	var failure error
	call := func(encoded string) time.Duration {
		start := time.Now()
		_, err := p.Verify(ctx, password.Login{}, []byte("not the password"), encoded)
		took := time.Since(start)
		if !errors.Is(err, password.ErrMismatch) && failure == nil {
			failure = fmt.Errorf("a wrong password was answered with %v, want a mismatch", err)
		}
		return took
	}
	var known []float64
	compare := func(pairs int, encoded string) Comparison {
		differences := make([]float64, 0, pairs)
		for range pairs {
			if progress != nil && done%100 == 0 {
				progress(done, of)
			}
			done++
			if failure != nil {
				break
			}
			first := func() time.Duration { return call(encoded) }
			second := func() time.Duration { return call(job.Encoded) }
			a, b := pair(first, second)
			differences = append(differences, float64(a-b))
			known = append(known, float64(b))
		}
		return compared(differences)
	}
	for range 100 {
		call(job.Encoded) // warm up
	}
	r := &UnknownReport{UnknownTerms: terms}
	r.Unknown = compare(terms.Pairs, "")
	r.Same = compare(terms.Pairs, job.Encoded)
	r.Other = compare(terms.Control, dearer.Encoded)
	if failure != nil {
		return nil, failure
	}
	r.HashNS = measure.Median(known)
	r.judge()
	return r, p.Close(ctx)
}

// pair times both, in a random order.
func pair(first, second func() time.Duration) (a, b time.Duration) {
	if fount.IntN(2) == 0 {
		a = first()
		return a, second()
	}
	b = second()
	return first(), b
}

// z is the 99.5 % point of the normal distribution, for 99 % intervals.
const z = 2.5758293

func compared(d []float64) Comparison {
	n := len(d)
	c := Comparison{Pairs: n}
	if n < 2 {
		return c
	}
	sorted := slices.Sorted(slices.Values(d))
	c.Median = measure.Median(d)
	// The number of differences below the median of what was sampled is binomial, with mean n/2 and deviation
	// sqrt(n)/2: the interval runs from one order statistic to another.
	k := max(0, int(float64(n)/2-z*math.Sqrt(float64(n))/2-1))
	c.Low, c.High = sorted[k], sorted[n-1-k]

	sum, squares, longer := 0.0, 0.0, 0
	for _, x := range d {
		sum += x
		if x > 0 {
			longer++
		}
	}
	c.Mean = sum / float64(n)
	for _, x := range d {
		squares += (x - c.Mean) * (x - c.Mean)
	}
	deviation := math.Sqrt(squares / float64(n-1))
	half := z * deviation / math.Sqrt(float64(n))
	c.MeanLow, c.MeanHigh = c.Mean-half, c.Mean+half
	if deviation > 0 {
		c.Effect = c.Mean / deviation
	}
	c.Longer = float64(longer) / float64(n)
	return c
}

// judge compares the figures with what the pool promises. It judges the median: one pause of the machine in 10,000 calls
// moves the mean by more than a hundredth of so short a hash.
func (r *UnknownReport) judge() {
	part := func(ns float64) float64 { return 100 * math.Abs(ns) / r.HashNS }
	r.Conditions = []Condition{
		atMost("unknown against known, median difference of a hash", part(r.Unknown.Median), 1, "%"),
		atMost("the far end of its 99 % interval", max(part(r.Unknown.Low), part(r.Unknown.High)), 1, "%"),
		atLeast("control: a user of the next cost against known", part(r.Other.Median), 50, "%"),
	}
}
