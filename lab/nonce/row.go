// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// The figures of a method, as a conclusion is drawn from them.

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
)

// A Row is what the runs of one method gave with one number of workers. Each Sample has a value for each run; nil is
// not measured.
type Row struct {
	Method Method
	Err    error // why it could not be measured; then all else is nil
	Drawn  []int // nonces of each run

	Cost  Sample // ns per nonce, as the plan counts them
	Core  Sample // CPU time per nonce in ns, of all goroutines on all cores
	P50   Sample // percentiles of single draws, in ns
	P99   Sample
	P999  Sample
	First Sample // median of the first draws of bursts, in ns
}

// Rows joins the results of a plan with those of the same plan, Timed, for the i-th number of workers. timed may be nil.
func Rows(counted, timed []Result, i int) []Row {
	rows := make([]Row, len(counted))
	for k, r := range counted {
		rows[k] = Row{Method: r.Method, Err: r.Err}
		if timed != nil && r.Err == nil {
			rows[k].Err = timed[k].Err
		}
		if rows[k].Err != nil {
			continue
		}
		for _, run := range r.Runs[i] {
			rows[k].Drawn = append(rows[k].Drawn, run.Nonces)
		}
		rows[k].Cost = r.Costs[i]
		rows[k].Core = sampleOf(r.Runs[i], func(r Run) float64 {
			if r.CPU == 0 {
				return math.NaN()
			}
			return r.CoreNS()
		})
		if timed != nil {
			rows[k].time(timed[k].Runs[i])
		}
	}
	return rows
}

// time fills in what timed runs say.
func (r *Row) time(runs []Run) {
	quantile := func(q float64) Sample {
		return sampleOf(runs, func(r Run) float64 { return r.Draws.Quantile(q) })
	}
	r.P50, r.P99, r.P999 = quantile(0.5), quantile(0.99), quantile(0.999)
	r.First = sampleOf(runs, func(r Run) float64 {
		if r.First == nil {
			return math.NaN()
		}
		return r.First.Quantile(0.5)
	})
}

// sampleOf is a figure of each run, nil if one of them has none.
func sampleOf(runs []Run, of func(Run) float64) Sample {
	s := make(Sample, len(runs))
	for i, r := range runs {
		if s[i] = of(r); math.IsNaN(s[i]) {
			return nil
		}
	}
	return s
}

// Summary is the median and its 95 % interval, as benchstat has them. With fewer than 6 values the interval has no end on one side.
func (s Sample) Summary() benchmath.Summary {
	return benchmath.AssumeNothing.Summary(s.perf(), 0.95)
}

func (s Sample) perf() *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(s), &benchmath.DefaultThresholds)
}

// least is the row with the least median of a figure; ok is false if no row has one.
func least(rows []Row, figure func(Row) Sample) (best Row, ok bool) {
	for _, r := range rows {
		if s := figure(r); s != nil && (!ok || s.Median() < figure(best).Median()) {
			best, ok = r, true
		}
	}
	return best, ok
}

// find returns the row of that name; ok is false if it is not there or was not measured.
func find(rows []Row, name string) (row Row, ok bool) {
	for _, r := range rows {
		if r.Method.Name() == name && r.Err == nil {
			return r, true
		}
	}
	return Row{}, false
}

// filter keeps the rows that were measured and that keep holds of.
func filter(rows []Row, keep func(Method) bool) (kept []Row) {
	for _, r := range rows {
		if r.Err == nil && keep(r.Method) {
			kept = append(kept, r)
		}
	}
	return kept
}

func cost(r Row) Sample { return r.Cost }

// ranking is the rows with the cheapest first.
func ranking(rows []Row) []Row {
	return slices.SortedStableFunc(slices.Values(rows), func(a, b Row) int { return cmp.Compare(a.Cost.Median(), b.Cost.Median()) })
}

// names are the rows' names with commas.
func names(rows []Row) string {
	var all []string
	for _, r := range rows {
		all = append(all, r.Method.Name())
	}
	return strings.Join(all, ", ")
}
