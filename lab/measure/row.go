// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

// The figures of a method, as they are printed and as conclusions are drawn from them.

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"fount/lab/machine"
)

// A Row is what the runs of one method gave with one number of workers, in ns per value. A Sample has a value for each run.
// Names of fields in JSON stay; fields may be added.
type Row struct {
	Name     string  `json:"name"`
	Weakness string  `json:"weakness,omitempty"`
	Via      string  `json:"via,omitempty"`     // of nonces: where its bytes come from, as in Condition; own: the method's way
	Call     string  `json:"call,omitempty"`    // of nonces: as in Condition
	Error    string  `json:"error,omitempty"`   // why it was not measured, in one line; then there are no figures
	ThenNS   float64 `json:"then_ns,omitempty"` // in the post, on its machine
	Ratio    float64 `json:"ratio,omitempty"`   // of the median to that of the first of its kind; 0 if that was not measured
	Differs  bool    `json:"differs"`           // from that one

	NS      *Sample `json:"ns,omitempty"`      // as the plan counts
	CoreNS  *Sample `json:"core_ns,omitempty"` // CPU time, of all goroutines on all cores
	P50NS   *Sample `json:"p50_ns,omitempty"`  // percentiles of single draws
	P99NS   *Sample `json:"p99_ns,omitempty"`
	P999NS  *Sample `json:"p99_9_ns,omitempty"`
	FirstNS *Sample `json:"first_ns,omitempty"` // median of the first draws of bursts

	Drawn []int `json:"-"` // values of each run
	Err   error `json:"-"` // that Error tells of

	base bool // the others' ratios are to it
}

// Failed is the row of a method that could not be measured.
func Failed(m Method, err error) Row {
	return Row{Name: m.Name, Weakness: m.Weakness, Err: err, Error: Reason(err)}
}

// Reason is why a method was not measured, in one line.
func Reason(err error) string {
	if errors.Is(err, errors.ErrUnsupported) {
		return "not on " + machine.OSName()
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// Rows joins the results of a plan with those of the same plan, Timed, for the i-th number of workers. timed may be nil.
func Rows(counted, timed []Result, i int) []Row {
	rows := make([]Row, len(counted))
	for k, r := range counted {
		err := r.Err
		if timed != nil && err == nil {
			err = timed[k].Err
		}
		if err != nil {
			rows[k] = Failed(r.Method, err)
			continue
		}
		row := Row{Name: r.Method.Name, Weakness: r.Method.Weakness, NS: r.Costs[i]}
		for _, run := range r.Runs[i] {
			row.Drawn = append(row.Drawn, run.Values)
		}
		row.CoreNS = sampleOf(r.Runs[i], func(r Run) float64 {
			if r.CPU == 0 {
				return math.NaN()
			}
			return r.CoreNS()
		})
		if timed != nil {
			row.time(timed[k].Runs[i])
		}
		rows[k] = row
	}
	return rows
}

// time fills in what timed runs say.
func (r *Row) time(runs []Run) {
	quantile := func(q float64) *Sample {
		return sampleOf(runs, func(r Run) float64 { return r.Draws.Quantile(q) })
	}
	r.P50NS, r.P99NS, r.P999NS = quantile(0.5), quantile(0.99), quantile(0.999)
	r.FirstNS = sampleOf(runs, func(r Run) float64 {
		if r.First == nil {
			return math.NaN()
		}
		return r.First.Quantile(0.5)
	})
}

// sampleOf is a figure of each run, nil if one of them has none.
func sampleOf(runs []Run, of func(Run) float64) *Sample {
	values := make([]float64, len(runs))
	for i, r := range runs {
		if values[i] = of(r); math.IsNaN(values[i]) {
			return nil
		}
	}
	return Of(values...)
}

// Against fills in the ratios to the row that is called base. differ reports whether the costs of two rows differ.
func Against(base string, rows []Row, differ func(a, b string) bool) []Row {
	to, ok := Find(rows, base)
	for i := range rows {
		if r := &rows[i]; ok && r.Err == nil && to.NS.Median > 0 {
			r.Ratio, r.Differs, r.base = r.NS.Median/to.NS.Median, differ(r.Name, base), r.Name == base
		}
	}
	return rows
}

// Find returns the row of that name; ok is false if it is not there or was not measured.
func Find(rows []Row, name string) (row Row, ok bool) {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == name && r.Err == nil })
	if i < 0 {
		return Row{}, false
	}
	return rows[i], true
}

// Least is the row with the least median of a figure; ok is false if no row has one.
func Least(rows []Row, figure func(Row) *Sample) (best Row, ok bool) {
	for _, r := range rows {
		if s := figure(r); s != nil && (!ok || s.Median < figure(best).Median) {
			best, ok = r, true
		}
	}
	return best, ok
}

// Filter keeps the rows that were measured and whose name keep holds of.
func Filter(rows []Row, keep func(name string) bool) (kept []Row) {
	for _, r := range rows {
		if r.Err == nil && keep(r.Name) {
			kept = append(kept, r)
		}
	}
	return kept
}

// Cost is the figure that rows are compared by.
func Cost(r Row) *Sample { return r.NS }

// Ranking is the rows with the cheapest first.
func Ranking(rows []Row) []Row {
	return slices.SortedStableFunc(slices.Values(rows), func(a, b Row) int { return cmp.Compare(a.NS.Median, b.NS.Median) })
}

// Names are the rows' names with commas.
func Names(rows []Row) string {
	var all []string
	for _, r := range rows {
		all = append(all, r.Name)
	}
	return strings.Join(all, ", ")
}
