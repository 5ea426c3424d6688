// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

// Results in Go's benchmark format, which benchstat reads.

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"

	"fount/lab/machine"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// A File is written in Go's benchmark format. It keeps the first error.
type File struct {
	Err error

	w      *benchfmt.Writer
	config []benchfmt.Config
}

// NewFile returns a File whose configuration is what go test writes of the machine.
func NewFile(w io.Writer, m machine.Facts) *File {
	f := &File{w: benchfmt.NewWriter(w)}
	f.Set("goos", runtime.GOOS)
	f.Set("goarch", runtime.GOARCH)
	f.Set("pkg", "fount/cmd/fount")
	f.Set("cpu", m.CPU)
	f.Set("go", m.GoVersion)
	f.Set("kernel", strings.TrimSpace(m.OS+" "+m.Kernel))
	return f
}

// Set adds to the configuration, before the first result, what else a reader needs to repeat the run. "" is left out.
func (f *File) Set(key, v string) {
	if v != "" {
		f.config = append(f.config, benchfmt.Config{Key: key, Value: []byte(v), File: true})
	}
}

// A Value is a figure of a result.
type Value struct {
	V    float64
	Unit string // as in "ns/op"
}

// Add writes one result of n values, GOMAXPROCS behind the name as go test does.
func (f *File) Add(name string, procs, n int, values []Value) {
	if procs > 1 {
		name += fmt.Sprintf("-%d", procs)
	}
	r := &benchfmt.Result{Name: benchfmt.Name(name), Iters: max(1, n)}
	for _, v := range values {
		short := math.Round(v.V*1e4) / 1e4
		tidy, unit := benchunit.Tidy(short, v.Unit)
		r.Values = append(r.Values, benchfmt.Value{Value: tidy, Unit: unit, OrigValue: short, OrigUnit: v.Unit})
	}
	f.Write(r)
}

// Write writes a result with the configuration.
func (f *File) Write(r *benchfmt.Result) {
	if f.Err == nil {
		r.Config = f.config
		f.Err = f.w.Write(r)
	}
}

// Slug is a method's name in the names of benchmarks, which keep '/' and ' ' for themselves.
func Slug(name string) string {
	return strings.NewReplacer("/dev/", "dev_", "/", "_", ", ", "_", " ", "_", "(", "", ")", "").Replace(name)
}

// Write writes a line for each run of each method, in the order of go test: all runs of a method with each GOMAXPROCS, then the
// next method. benchstat takes the names apart: /method, /goroutines if it was asked for, and GOMAXPROCS.
func (r Report) Write(w io.Writer) error { return r.WriteWith(w, nil, func(Row) string { return "" }) }

// WriteWith is Write with more of a configuration, by key and value, and with a part of the name of each row.
func (r Report) WriteWith(w io.Writer, config [][2]string, part func(Row) string) error {
	f := NewFile(w, r.Machine)
	f.Set("benchtime", r.Benchtime)
	for _, c := range config {
		f.Set(c[0], c[1])
	}
	write := func(name string, rows func(Table) []Row) {
		for i := range rows(r.Tables[0]) {
			for _, t := range r.Tables {
				row := rows(t)[i]
				full := name + "/method=" + strings.ReplaceAll(row.Name, "/", "_") + part(row)
				if r.Asked > 0 {
					full += fmt.Sprintf("/goroutines=%d", r.Asked)
				}
				for k, drawn := range row.Drawn {
					f.Add(full, t.GOMAXPROCS, drawn, row.values(k))
				}
			}
		}
	}
	write(r.Benchmark, func(t Table) []Row { return t.Methods })
	write(r.Benchmark+"Burst", func(t Table) []Row { return t.Bursts })
	return f.Err
}

// values are the figures of the k-th run.
func (r Row) values(k int) (values []Value) {
	for _, v := range []struct {
		unit string
		of   *Sample
	}{
		{"ns/op", r.NS}, {"core-ns/op", r.CoreNS}, {"first-ns/op", r.FirstNS}, {"p50-ns/op", r.P50NS}, {"p99-ns/op", r.P99NS}, {"p99.9-ns/op", r.P999NS},
	} {
		if v.of != nil {
			values = append(values, Value{v.of.Values[k], v.unit})
		}
	}
	return values
}
