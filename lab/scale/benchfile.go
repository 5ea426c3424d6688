// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// What was measured in Go's benchmark format.

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"time"

	"fount/lab/machine"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// Write writes a line for each round of each point, in the form that benchstat reads:
//
//	BenchmarkScale/method=fount/size=16/mode=threads/n=2-2
//	BenchmarkGoroutines/method=fount/goroutines=100000-2
//
// ns/op is elapsed time by values of all threads together.
func (r Result) Write(w io.Writer) error {
	b := benchWriter{w: benchfmt.NewWriter(w), config: config(r.Machine), cores: r.Cores}
	b.set("turn", fmt.Sprintf("%dns", r.TurnNS))
	b.set("work", fmt.Sprintf("%dns", r.WorkNS))
	b.set("nodes", fmt.Sprint(r.Nodes))
	for _, s := range r.Series {
		for _, p := range s.Points {
			name := fmt.Sprintf("Scale/method=%s/size=%d/mode=%s/n=%d", Method{Name: s.Method}.Slug(), s.Size, s.Mode, p.Threads)
			for i, rate := range p.Rate.Values {
				values := []value{{1e9 / rate, "ns/op"}, {rate, "values/s"}, {p.Speedup.Values[i], "speedup"}}
				if p.CoreNS != nil {
					values = append(values, value{p.CoreNS.Values[i], "core-ns/op"}, value{p.Share.Values[i], "core-share"})
				}
				b.write(name, iterations(p.drawn, i), values)
			}
		}
	}
	if r.Sweep != nil {
		for _, s := range r.Sweep.Series {
			for _, p := range s.Points {
				name := fmt.Sprintf("Goroutines/method=%s/goroutines=%d", Method{Name: s.Method}.Slug(), p.Goroutines)
				for _, rate := range p.Rate.Values {
					b.write(name, max(1, p.drawn), []value{{1e9 / rate, "ns/op"}, {rate, "values/s"}})
				}
			}
		}
	}
	return b.err
}

// iterations is what was drawn in a round; 1 where a Result came from JSON, which does not keep it.
func iterations(drawn []int, i int) int {
	if i < len(drawn) {
		return drawn[i]
	}
	return 1
}

// Write writes a line for each method, in the form that benchstat reads: BenchmarkTail/method=fount-2.
func (r TailResult) Write(w io.Writer) error {
	b := benchWriter{w: benchfmt.NewWriter(w), config: config(r.Machine), cores: r.Goroutines}
	b.set("turn", fmt.Sprintf("%dns", r.TurnNS))
	for _, m := range r.Methods {
		if m.Error == "" {
			values := []value{{m.P50NS, "p50-ns/op"}, {m.MaxNS, "max-ns/op"}}
			for _, stalls := range m.Stalls {
				values = append(values, value{stalls.PerS.Median, fmt.Sprintf("draws-above-%v/core-s", time.Duration(stalls.AboveNS))})
			}
			b.write("Tail/method="+Method{Name: m.Name}.Slug(), int(m.Draws),
				append(values, value{float64(m.Collections), "GCs"}, value{m.Share, "core-share"}))
		}
	}
	return b.err
}

// A benchWriter keeps the first error.
type benchWriter struct {
	w      *benchfmt.Writer
	config []benchfmt.Config
	cores  int
	err    error
}

type value struct {
	v    float64
	unit string
}

func (b *benchWriter) set(key, v string) {
	if v != "" {
		b.config = append(b.config, benchfmt.Config{Key: key, Value: []byte(v), File: true})
	}
}

// write writes one line, GOMAXPROCS behind the name as go test does.
func (b *benchWriter) write(name string, n int, values []value) {
	if b.err != nil {
		return
	}
	if b.cores > 1 {
		name += fmt.Sprintf("-%d", b.cores)
	}
	r := &benchfmt.Result{Config: b.config, Name: benchfmt.Name(name), Iters: n}
	for _, v := range values {
		short := math.Round(v.v*1e4) / 1e4
		tidy, unit := benchunit.Tidy(short, v.unit)
		r.Values = append(r.Values, benchfmt.Value{Value: tidy, Unit: unit, OrigValue: short, OrigUnit: v.unit})
	}
	b.err = b.w.Write(r)
}

// config is what go test writes of the machine.
func config(m machine.Facts) []benchfmt.Config {
	var b benchWriter
	b.set("goos", runtime.GOOS)
	b.set("goarch", runtime.GOARCH)
	b.set("pkg", "fount/cmd/fount")
	b.set("cpu", m.CPU)
	b.set("go", m.GoVersion)
	b.set("kernel", strings.TrimSpace(m.OS+" "+m.Kernel))
	return b.config
}
