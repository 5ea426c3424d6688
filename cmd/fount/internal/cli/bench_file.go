// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What fount bench measured as a file in Go's benchmark format.

package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// A resultFile is where -o writes. Nil is nowhere.
type resultFile struct {
	w    io.Writer // standard output, nil if it is a file
	name string
	file *os.File // nil if it is not there yet
}

// create looks at the file, so that a name which can't be written is known before anything is measured. What it holds
// stays until there is something to take its place.
func (b *bench) create() (*resultFile, error) {
	switch b.file {
	case "":
		return nil, nil
	case "-":
		return &resultFile{w: b.out}, nil
	}
	file, err := openResult(b.file)
	if err != nil {
		return nil, err
	}
	return &resultFile{name: b.file, file: file}, nil
}

// close is for the returns before write.
func (f *resultFile) close() {
	if f != nil && f.file != nil {
		f.file.Close()
	}
}

// write writes a line for each run of each method.
func (f *resultFile) write(r benchReport) error {
	return f.writeWith(func(w io.Writer) error { return writeResults(w, r) })
}

// writeWith has the results written.
func (f *resultFile) writeWith(results func(io.Writer) error) (err error) {
	switch {
	case f == nil:
		return nil
	case f.w != nil:
		return results(f.w)
	case f.file == nil:
		f.file, err = os.Create(f.name)
	default:
		if info, statErr := f.file.Stat(); statErr == nil && info.Mode().IsRegular() {
			err = f.file.Truncate(0)
		}
	}
	if err != nil {
		return err
	}
	if err := results(f.file); err != nil {
		return err
	}
	return f.file.Close()
}

// writeResults writes in the order of go test: all runs of a method with each GOMAXPROCS, then the next method.
func writeResults(w io.Writer, r benchReport) error {
	writer := benchfmt.NewWriter(w)
	config := benchConfig(r)
	write := func(name string, rows func(benchTable) []benchRow) error {
		for i := range rows(r.Tables[0]) {
			for _, t := range r.Tables {
				row := rows(t)[i]
				for k, drawn := range row.drawn {
					result := &benchfmt.Result{Config: config, Name: benchName(name, r, t, row), Iters: drawn, Values: row.values(k)}
					if err := writer.Write(result); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}
	if err := write(r.Benchmark, func(t benchTable) []benchRow { return t.Methods }); err != nil {
		return err
	}
	return write(r.Benchmark+"Burst", func(t benchTable) []benchRow { return t.Bursts })
}

// benchConfig is what holds for all lines: those go test writes, and what else a reader needs to repeat the run.
func benchConfig(r benchReport) (config []benchfmt.Config) {
	set := func(key, value string) {
		if value != "" {
			config = append(config, benchfmt.Config{Key: key, Value: []byte(value), File: true})
		}
	}
	set("goos", runtime.GOOS)
	set("goarch", runtime.GOARCH)
	set("pkg", "fount/cmd/fount")
	set("cpu", r.Machine.CPU)
	set("go", r.Machine.GoVersion)
	set("kernel", strings.TrimSpace(r.Machine.OS+" "+r.Machine.Kernel))
	set("benchtime", r.Benchtime)
	if p := r.Parameters; p != nil {
		set("capacity", fmt.Sprint(p.Capacity))
		set("buffer", fmt.Sprint(p.Buffer))
		set("channels", fmt.Sprint(p.Channels))
		set("writers", fmt.Sprint(p.Writers))
	}
	if r.BurstLength > 0 {
		set("idle", r.Idle)
		set("burst-length", fmt.Sprint(r.BurstLength))
	}
	return config
}

// benchName is a name that benchstat takes apart: /method, /via, /call, /goroutines if it was asked for, and GOMAXPROCS behind the last dash,
// which go test leaves out if it is 1. A method that draws in its own way, whatever --via says, has via=own.
func benchName(name string, r benchReport, t benchTable, row benchRow) benchfmt.Name {
	name += "/method=" + strings.ReplaceAll(row.Name, "/", "_")
	if r.Via != "" {
		via := r.Via
		if !row.ofPost {
			via = "own"
		}
		name += "/via=" + via + "/call=" + r.Call
	}
	if r.goroutines > 0 {
		name += fmt.Sprintf("/goroutines=%d", r.goroutines)
	}
	if t.GOMAXPROCS > 1 {
		name += fmt.Sprintf("-%d", t.GOMAXPROCS)
	}
	return benchfmt.Name(name)
}

// values are the figures of the k-th run.
func (r benchRow) values(k int) (values []benchfmt.Value) {
	for _, v := range []struct {
		unit string
		of   *figure
	}{
		{"ns/op", r.NS}, {"core-ns/op", r.CoreNS}, {"first-ns/op", r.FirstNS}, {"p50-ns/op", r.P50NS}, {"p99-ns/op", r.P99NS}, {"p99.9-ns/op", r.P999NS},
	} {
		if v.of == nil {
			continue
		}
		ns := math.Round(v.of.Values[k]*1000) / 1000
		tidy, unit := benchunit.Tidy(ns, v.unit)
		values = append(values, benchfmt.Value{Value: tidy, Unit: unit, OrigValue: ns, OrigUnit: v.unit})
	}
	return values
}
