// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// Starts for people, and in Go's benchmark format.

import (
	"fmt"
	"slices"
	"strings"

	"fount/lab/show"

	"golang.org/x/perf/benchfmt"
)

// Text is the table and sentences, without the command and the machine.
func (r *StartResult) Text(s show.Style) string {
	title := fmt.Sprintf("%d processes of a program start at once; the time until all have ended, median of %d", r.Procs, r.Count)
	text := show.Paragraph(title, s.Width, "", show.Indent)
	text += r.table().Fit(s.Width-len(show.Indent), "iostats", "stats", "as fast").String(show.Indent)
	text += s.Items(
		"device: the kernel's /dev/random, drained before each run. union: fount's files mounted before /dev (mount -b). "+
			"bind: fount's file bound on /dev/random.",
		"as fast: the time at the device to this one. iostats, stats: what one process reads, as Plan 9's iostats(4) counts at the "+
			"device and as fount's stats does behind bind.",
		"In 2015 each Go program read the device when it started. Go's runtime no longer does: only a program that draws "+
			"random bytes, by crypto/rand or by itself, waits.")
	if r.ServerS > 0 {
		text += s.Items(fmt.Sprintf("The server was there after %v: it reads 32 bytes of the device first, once a machine.", Time{MS: r.ServerS * 1e3}))
	}
	for _, p := range r.Programs {
		for _, at := range p.Starts {
			if at.Failed > 0 {
				text += s.Items(fmt.Sprintf("%s, %s: %d processes ended with a status: %s", at.Place, p.Command, at.Failed, at.Why))
			}
		}
		if p.NoIostats != "" {
			text += s.Items(fmt.Sprintf("iostats, %s: %s.", p.Command, p.NoIostats))
		}
	}
	return text
}

// table has a row for each program.
func (r *StartResult) table() show.Table {
	t := show.Table{Head: []string{""}}
	if len(r.Programs) == 0 {
		return t
	}
	for _, at := range r.Programs[0].Starts {
		t.Head = append(t.Head, at.Place)
		if at.Place != Device {
			t.Head = append(t.Head, "as fast")
		}
	}
	t.Head = append(t.Head, "iostats", "stats")
	for _, p := range r.Programs {
		row := []string{firstWords(p.Command)}
		for _, at := range p.Starts {
			row = append(row, Time{MS: at.MedianMS}.String())
			if at.Place != Device {
				row = append(row, at.asFast())
			}
		}
		t.Rows = append(t.Rows, append(row, p.Iostats.String(), p.Served.String()))
	}
	return t
}

// firstWords is a command up to its first flag.
func firstWords(command string) string {
	words, _, _ := strings.Cut(strings.TrimSpace(command), " -")
	return words
}

func (s *Starts) asFast() string {
	if s.AsFast == 0 {
		return "-"
	}
	return show.Ratio(s.AsFast)
}

// String is bytes and the reads that they took.
func (d *Drawn) String() string {
	if d == nil {
		return "-"
	}
	return fmt.Sprintf("%d B in %d", d.Bytes, d.Reads)
}

// String is that of what was read.
func (o *Opened) String() string {
	if o == nil {
		return "-"
	}
	return o.Drawn.String()
}

// Benchmarks are a line for each run. A program without a path has the name of its first words, with _ between them.
func (r *StartResult) Benchmarks() (lines []*benchfmt.Result) {
	for _, p := range r.Programs {
		program := strings.NewReplacer(" ", "_", "/", "_").Replace(firstWords(p.Command))
		for _, at := range p.Starts {
			name := fmt.Sprintf("FilesPrograms/program=%s/place=%s/procs=%d", program, at.Place, r.Procs)
			for _, ms := range at.RunsMS {
				lines = append(lines, &benchfmt.Result{Name: benchfmt.Name(name), Iters: 1, Values: []benchfmt.Value{nanoseconds("all", ms)}})
			}
		}
	}
	return lines
}

// Failed is an error if a process ended with a status.
func (r *StartResult) Failed() error {
	for _, p := range r.Programs {
		if i := slices.IndexFunc(p.Starts, func(s Starts) bool { return s.Failed > 0 }); i >= 0 {
			at := p.Starts[i]
			return fmt.Errorf("%d processes of %s at %s ended with a status: %s", at.Failed, p.Command, at.Place, at.Why)
		}
	}
	return nil
}
