// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The result in Go's benchmark format.

import (
	"fmt"
	"math"

	"golang.org/x/perf/benchfmt"
)

// Benchmarks are a line for each run of each source. Units: p50-sec/op and p99-sec/op of the delay, exec-sec/op, and
// late-procs, those that count with the limit. The start of the server (start-sec/op) and the rate (B/s) have lines
// of their own.
func (r *Result) Benchmarks() (lines []*benchfmt.Result) {
	for _, s := range r.Sources {
		name := fmt.Sprintf("/source=%s/procs=%d/ring=%s", s.Name, r.Procs, r.Ring)
		for _, run := range s.Runs {
			d := delayOf(run.DelaysMS, run.Late, r.LimitS*1e3)
			if d == nil {
				continue
			}
			lines = append(lines, &benchfmt.Result{
				Name:  benchfmt.Name("FilesStart" + name),
				Iters: len(run.DelaysMS) + run.Late,
				Values: []benchfmt.Value{
					nanoseconds("p50", d.Median.MS), nanoseconds("p99", d.P99.MS), nanoseconds("exec", run.ExecMS),
					{Value: float64(run.Late), Unit: "late-procs"},
				},
			})
		}
		if s.StartS > 0 {
			lines = append(lines, &benchfmt.Result{Name: benchfmt.Name("FilesServer" + name), Iters: 1,
				Values: []benchfmt.Value{nanoseconds("start", s.StartS*1e3)}})
		}
		if s.BytesPerS > 0 {
			lines = append(lines, &benchfmt.Result{Name: benchfmt.Name("FilesRate" + name), Iters: 1,
				Values: []benchfmt.Value{{Value: math.Round(s.BytesPerS*10) / 10, Unit: "B/s"}}})
		}
	}
	return lines
}

// nanoseconds is a value that is written in ns, as go test does.
func nanoseconds(what string, ms float64) benchfmt.Value {
	ns := math.Round(ms * 1e6)
	return benchfmt.Value{Value: ns / 1e9, Unit: what + "-sec/op", OrigValue: ns, OrigUnit: what + "-ns/op"}
}
