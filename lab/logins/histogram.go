// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// Percentiles of times.

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// A histogram keeps times from 1 ns to an hour to three digits, in 300 KiB. (Package nonce's is for draws of ns, to 3
// %, in the hot path; this one is for quantiles that are held against a limit.) Any goroutine may use it.
type histogram struct {
	mu sync.Mutex
	h  *hdrhistogram.Histogram
}

const longest = time.Hour

func newHistogram() *histogram {
	return &histogram{h: hdrhistogram.New(1, int64(longest), 3)}
}

// add records a time. One above an hour counts as an hour.
func (h *histogram) add(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.h.RecordValue(int64(min(max(d, 1), longest))); err != nil {
		panic(err) // the value is in range
	}
}

// A Summary is percentiles of times, in ms. A percentile of too few times, above which not one lies, is nil.
type Summary struct {
	Count int64    `json:"count"`
	P50   *float64 `json:"p50_ms"`
	P99   *float64 `json:"p99_ms"`
	P999  *float64 `json:"p99_9_ms"`
	Max   *float64 `json:"max_ms"`
}

// p50 and p99 are nil of nil.
func (s *Summary) p50() *float64 {
	if s == nil {
		return nil
	}
	return s.P50
}

func (s *Summary) p99() *float64 {
	if s == nil {
		return nil
	}
	return s.P99
}

func (h *histogram) summary() *Summary {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := h.h.TotalCount()
	if n == 0 {
		return nil
	}
	s := &Summary{Count: n, Max: ms(h.h.Max())}
	quantile := func(q float64) *float64 {
		if float64(n)*(100-q) < 100-1e-6 {
			return nil
		}
		return ms(h.h.ValueAtPercentile(q))
	}
	s.P50, s.P99, s.P999 = quantile(50), quantile(99), quantile(99.9)
	return s
}

func ms(ns int64) *float64 {
	v := float64(ns) / float64(time.Millisecond)
	return &v
}
