// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// Tests of names and lines, with damaged tables too.

import (
	"math"
	"runtime/metrics"
	"testing"
)

// The runtime's buckets are those that runtime/metrics tells of.
func TestHistogramBuckets(t *testing.T) {
	s := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindFloat64Histogram {
		t.Skip("this Go keeps no such histogram")
	}
	ends := s[0].Value.Float64Histogram().Buckets // -Inf, 0, the upper ends, +Inf
	if len(ends) != histCounts+3 {
		t.Fatalf("%d ends, want %d", len(ends), histCounts+3)
	}
	for i := range histCounts {
		if want := ends[i+2] * 1e9; math.Abs(top(i)-want) > 1e-6*want {
			t.Errorf("bucket %d ends at %v ns, want %v", i, top(i), want)
		}
	}
}

func TestHistogramLateness(t *testing.T) {
	var before, after histogram
	after[0], after[4], after[histCounts-1], after[histCounts+1] = 50, 49, 0, 1
	before[1], after[1] = 7, 7
	l := after.minus(&before).lateness("they were")
	if l.Count != 100 || l.P50MS != top(0)/1e6 || l.P99MS != top(4)/1e6 || l.MaxMS != top(histCounts+1)/1e6 {
		t.Errorf("%+v", l)
	}
	if l := before.minus(&after).lateness(""); l != nil {
		t.Errorf("%+v of nothing", l)
	}
	if _, err := readHistogram(make([]byte, histSize-8)); err == nil {
		t.Error("a histogram of another form was read")
	}
}

// Tables that are damaged are an error, and no panic.
func FuzzTable(f *testing.F) {
	f.Add([]byte("\xf1\xff\xff\xff\x00\x00\x01\x08" + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		table, err := readTable(b, 0x1000)
		if err != nil {
			return
		}
		o := &object{opened: true, table: table, name: "x"}
		for _, pc := range []uint64{0, 0xfff, 0x1000, 0x1001, 1 << 40, math.MaxUint64} {
			if len(o.frames(pc)) == 0 {
				t.Errorf("no frame at %#x", pc)
			}
		}
	})
}
