// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// What was measured in Go's benchmark format.

import (
	"fmt"
	"io"

	"fount/lab/measure"
)

// Write writes a line for each round of each point, in the form that benchstat reads:
//
//	BenchmarkScale/method=fount/size=16/mode=threads/n=2-2
//	BenchmarkGoroutines/method=fount/goroutines=100000-2
//
// ns/op is elapsed time by values of all threads together.
func (r Result) Write(w io.Writer) error {
	f := measure.NewFile(w, r.Machine)
	f.Set("turn", fmt.Sprintf("%dns", r.TurnNS))
	f.Set("work", fmt.Sprintf("%dns", r.WorkNS))
	f.Set("nodes", fmt.Sprint(r.Nodes))
	for _, s := range r.Series {
		for _, p := range s.Points {
			name := fmt.Sprintf("Scale/method=%s/size=%d/mode=%s/n=%d", measure.Slug(s.Method), s.Size, s.Mode, p.Threads)
			for i, rate := range p.Rate.Values {
				values := []measure.Value{value(1e9/rate, "ns/op"), value(rate, "values/s"), value(p.Speedup.Values[i], "speedup")}
				if p.CoreNS != nil {
					values = append(values, value(p.CoreNS.Values[i], "core-ns/op"), value(p.Share.Values[i], "core-share"))
				}
				f.Add(name, r.Cores, iterations(p.drawn, i), values)
			}
		}
	}
	if r.Sweep != nil {
		for _, s := range r.Sweep.Series {
			for _, p := range s.Points {
				name := fmt.Sprintf("Goroutines/method=%s/goroutines=%d", measure.Slug(s.Method), p.Goroutines)
				for _, rate := range p.Rate.Values {
					f.Add(name, r.Cores, p.drawn, []measure.Value{value(1e9/rate, "ns/op"), value(rate, "values/s")})
				}
			}
		}
	}
	return f.Err
}

// iterations is what was drawn in a round; 1 where a Result came from JSON, which does not keep it.
func iterations(drawn []int, i int) int {
	if i < len(drawn) {
		return drawn[i]
	}
	return 1
}

func value(v float64, unit string) measure.Value { return measure.Value{V: v, Unit: unit} }
