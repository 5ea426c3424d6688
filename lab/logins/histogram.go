// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package logins

// Percentiles of times.

import (
	"math"
	"sync"
	"time"

	"fount/lab/measure"
)

// A histogram keeps times to three digits, for quantiles that are held against a limit. Any goroutine may use it.
type histogram struct {
	mu sync.Mutex
	h  *measure.Histogram
}

func newHistogram() *histogram { return &histogram{h: measure.NewHistogram(3)} }

// add records a time.
func (h *histogram) add(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.h.Add(d)
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
	n := h.h.Count()
	if n == 0 {
		return nil
	}
	quantile := func(q float64) *float64 { return ms(h.h.Quantile(q)) }
	return &Summary{n, quantile(0.5), quantile(0.99), quantile(0.999), ms(h.h.Max())}
}

// ms is nil of no number.
func ms(ns float64) *float64 {
	if math.IsNaN(ns) {
		return nil
	}
	v := ns / float64(time.Millisecond)
	return &v
}
