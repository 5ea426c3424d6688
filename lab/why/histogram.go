// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// The runtime's histogram of the time from when a goroutine could run until it did: what runtime/metrics has as
// /sched/latencies:seconds, read where the runtime keeps it.

import (
	"encoding/binary"
	"errors"
	"math"
)

// The form of runtime.timeHistogram since Go 1.20 (runtime/histogram.go): buckets of powers of two,
// each of four parts: below 2^8 ns, up to 2^9, and so on to 2^47; then the counts of what lies below and above.
const (
	histMinBits = 9
	histParts   = 4
	histCounts  = (48 - histMinBits + 1) * histParts
	histSize    = (histCounts + 2) * 8 // bytes
)

type histogram [histCounts + 2]uint64

var errHistogram = errors.New("its Go keeps latencies in a form that is not known")

// readHistogram reads the runtime's bytes.
func readHistogram(b []byte) (*histogram, error) {
	if len(b) != histSize {
		return nil, errHistogram
	}
	h := new(histogram)
	for i := range h {
		h[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return h, nil
}

// minus is what came since.
func (h *histogram) minus(before *histogram) *histogram {
	d := *h
	for i := range d {
		if d[i] -= min(d[i], before[i]); int64(d[i]) < 0 {
			d[i] = 0
		}
	}
	return &d
}

// top is the upper end of a bucket in ns.
func top(i int) float64 {
	if i >= histCounts {
		return math.Ldexp(1, 47)
	}
	bucket, part := i/histParts, i%histParts
	if bucket == 0 {
		return float64(part+1) * math.Ldexp(1, histMinBits-1) / histParts
	}
	low := math.Ldexp(1, histMinBits+bucket-2)
	return low + low*float64(part+1)/histParts
}

// lateness are its percentiles, each the upper end of its bucket; nil if nothing was counted.
func (h *histogram) lateness(of string) *Lateness {
	l := &Lateness{Of: of}
	for _, n := range h {
		l.Count += int64(n)
	}
	if l.Count <= 0 {
		return nil
	}
	below := int64(h[histCounts]) // less than 0: a clock that went back
	for i := range histCounts + 2 {
		if i == histCounts {
			continue
		}
		n := int64(h[i])
		ms := top(i) / 1e6
		for _, q := range []struct {
			at  float64
			dst *float64
		}{{0.5, &l.P50MS}, {0.99, &l.P99MS}} {
			if want := int64(math.Ceil(q.at * float64(l.Count))); below < want && want <= below+n {
				*q.dst = ms
			}
		}
		if below += n; n > 0 {
			l.MaxMS = ms
		}
	}
	return l
}
