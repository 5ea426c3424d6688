// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// What the page shows of scaling, of draws that take long, and of random files.

import (
	"fmt"
	"strings"

	"fount/lab/files"
	"fount/lab/model"
	"fount/lab/scale"
	"fount/lab/show"
)

// fillScale shows throughput on more and more cores, and the patch's figures of sockets in a table of their own.
func (r *Raw) fillScale(s *section) error {
	m := r.Scale
	n := m.Cores
	s.Text = []string{fmt.Sprintf("1 to %d threads, each bound to a core, and as many processes, back to back; %d rounds, in %d runs, in which all take turns in shuffled order.", n, m.Rounds, max(1, m.Runs))}
	s.Tables = append(s.Tables, r.speedups(16, "16 bytes"), r.speedups(4096, "4 KiB"))
	s.Tables = append(s.Tables, published2015())
	s.Notes = append(s.Notes, m.Notes...)
	for _, c := range m.Bars {
		s.Notes = append(s.Notes, c.Text)
	}
	return s.show(m.Plots())
}

// show adds the plots of package scale.
func (s *section) show(plots []scale.Plot) error {
	for _, p := range plots {
		if err := s.draw(p.Figure); err != nil {
			return err
		}
	}
	return nil
}

// speedups is what all cores do against one, by the clock.
func (r *Raw) speedups(size int, name string) table {
	n := r.Scale.Cores
	t := table{
		Caption: fmt.Sprintf("values of %s: ns each on one core, and how many times as many %d cores draw", name, n),
		Head:    []string{"method", "ns, one thread", fmt.Sprintf("%d threads", n), fmt.Sprintf("%d processes", n)},
	}
	for _, series := range r.Scale.Series {
		if series.Size != size || series.Mode != scale.Threads {
			continue
		}
		cells := []string{series.Method, "", "", ""}
		if p := series.Point(1); series.Error == "" && p != nil && p.Rate != nil {
			cells[1] = show.NS(1e9 / p.Rate.Median)
		}
		for i, mode := range []string{scale.Threads, scale.Processes} {
			if gain := r.Scale.Gain(series.Method, size, mode); gain != nil {
				cells[2+i] = show.Ratio(gain.Median) + "x"
			} else if _, busy := r.Scale.Busy(mode); busy {
				cells[2+i] = scale.NotJudged
			}
		}
		t.Rows = append(t.Rows, row{cells, strings.HasPrefix(series.Method, "fount")})
	}
	return t
}

// published2015 is not of this machine, so it has a table to itself.
func published2015() table {
	t := table{
		Caption: "Not measured here: what Andi Kleen's patch of 2015 published for a Xeon v3, 18 cores with two threads a socket, against one socket",
		Head:    []string{"sockets", "one locked pool", "a pool per node"},
	}
	sockets, lockedPool, perNode := model.PatchFigures()
	for i, n := range sockets {
		t.Rows = append(t.Rows, row{Cells: []string{fmt.Sprint(n), times(lockedPool[i]), times(perNode[i])}})
	}
	return t
}

// fillTail shows how often a single draw takes long.
func (r *Raw) fillTail(s *section) error {
	m := r.Tail
	s.Text = []string{fmt.Sprintf("%d goroutines draw and time every nonce while the collector runs all the time. A draw in whose middle a goroutine "+
		"loses its core counts once, with all the time it was away. They are counted by the second: a percentile of draws would say more of how "+
		"many short ones there are.", m.Goroutines)}
	t := table{
		Caption: "draws a second and core that take longer, with 95 % intervals",
		Head:    []string{"method", "than 10 µs", "than 100 µs", "than 1 ms", "a usual draw, ns", "slowest, ms"},
	}
	for _, method := range m.Methods {
		if method.Error != "" || len(method.Stalls) != 3 {
			t.Rows = append(t.Rows, row{Cells: append([]string{method.Name}, padded(method.Error, len(t.Head)-1)...)})
			continue
		}
		cells := []string{method.Name}
		for _, stalls := range method.Stalls {
			cells = append(cells, stalls.PerS.Count())
		}
		t.Rows = append(t.Rows, row{append(cells, show.NS(method.P50NS), show.NS(method.MaxNS/1e6)), method.Name == scale.TailFount})
	}
	s.Tables = []table{t}
	for _, c := range m.Bars {
		s.Notes = append(s.Notes, c.Text)
	}
	return s.show(m.Plots())
}

// fillFiles shows how long processes wait for their first bytes.
func (r *Raw) fillFiles(s *section) error {
	m := r.Files
	s.Text = []string{fmt.Sprintf("%d processes start together, and each needs %d bytes before it can go on, as each Go program on Plan 9 did in 2015 "+
		"(golang/go#10028) and one that uses crypto/rand does today. The slow device is emulated: it is test equipment, and nothing else uses its bytes.", m.Procs, m.Bytes)}
	t := table{
		Caption: "ms from the start to the first bytes, and MB/s of all processes after them",
		Head:    []string{"source", "median", "p99", "slowest", "in time", "MB/s"},
	}
	for _, src := range m.Sources {
		if src.Skipped != "" || src.Delay == nil {
			t.Rows = append(t.Rows, row{Cells: append([]string{src.Name}, padded("not measured: "+src.Skipped, len(t.Head)-1)...)})
			continue
		}
		rate := ""
		if src.BytesPerS > 0 {
			rate = show.NS(src.BytesPerS / 1e6)
		}
		t.Rows = append(t.Rows, row{Cells: []string{
			src.Name, wait(src.Delay.Median), wait(src.Delay.P99), wait(src.Delay.Max), fmt.Sprintf("%d of %d", src.Got, src.Processes), rate,
		}, Strong: src.Name == files.Fount})
	}
	published := table{
		Caption: "Not measured here: published figures, in seconds",
		Head:    []string{"where", "slow device", "seeded file server", "what"},
		Words:   3,
	}
	for _, p := range m.Published {
		published.Rows = append(published.Rows, row{Cells: []string{p.Where, fmt.Sprint(p.SlowS), fmt.Sprint(p.FastS), p.What}})
	}
	s.Tables = []table{t, published}
	s.Notes = m.Conclusion
	return nil
}

// wait is a time in ms, or that it was longer.
func wait(t files.Time) string {
	if t.AtLeast {
		return "more than " + show.NS(t.MS)
	}
	if t.MS < 1 {
		return show.Ratio(t.MS)
	}
	return show.NS(t.MS)
}
