// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The tables, in Markdown.

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"fount/bench/peers"
	"fount/lab/measure"
)

// tables is peers.md.
func tables(r *Result) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# fount and its peers\n\nMade from [peers.json](peers.json) by `go run ./bench/report`; do not edit.\n\n")
	fmt.Fprintf(&b, "```text\n%s\n```\n\n", r.header())
	writeReading(&b, r)
	writeOverview(&b, r)
	for _, task := range peers.Tasks() {
		writeTask(&b, r, task)
	}
	writePromises(&b, r)
	fmt.Fprintf(&b, "## Checks\n\nThe bars that fount has set itself. Held or missed is what is so for sure, all of them taken together (Student's interval over\n10 runs of the rounds, each of which is a process of its own, corrected by Holm); the rest is undecided. The intervals are those of medians:\n\n")
	for _, line := range checks(r) {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	return b.Bytes()
}

// writeReading says how to read the tables.
func writeReading(w io.Writer, r *Result) {
	cost := "CPU time"
	if !r.cpu() {
		cost = "time by the clock, as this system does not tell the CPU time of each turn,"
	}
	interval := "± the 95 % interval of the median, which assumes nothing about the distribution"
	if r.Rounds < 6 {
		interval = "without an interval, for which 6 rounds are the fewest"
	}
	fmt.Fprintf(w, `## How to read it

- **one core**: %[1]s of one operation while one goroutine draws; the median of %[2]d rounds
  %[3]s.
- **ratio**: this cost divided by that of the peer whose ratio is 1 in the same round; the median. Below 1 is cheaper.
`, cost, r.Rounds, interval)
	if r.Cores > 1 {
		writeCoresReading(w, r, cost)
	}
	fmt.Fprint(w, `- **allocations**: objects on the heap for one operation. What it costs to collect them is in the CPU time.

What the figures do not show. Every loop draws again and again, so code and data are in the caches and the branch predictor
has learned: a program that draws now and then pays more, with any peer. Medians hide the slowest draws. The functions of a
package serve any goroutine; a Generator, ChaCha8, PCG and AES-256-CTR belong to one, and a program has to carry them to where
it draws. A cost says nothing of what the bytes are fit for: see [Promises](#promises).

`)
}

// writeCoresReading says how to read the columns of all cores.
func writeCoresReading(w io.Writer, r *Result, cost string) {
	fmt.Fprintf(w, `- **%[2]d cores**: %[1]s of one operation, all cores added up, while one goroutine a core draws. It equals
  one core if the cores do not disturb each other.
`, cost, r.Cores)
	if r.cpu() {
		one, all := r.share()
		fmt.Fprintf(w, `- **gain**: how many times as much %[1]d cores draw as one. By CPU time: %[1]d times one core divided by %[1]d cores.
  By the clock: as it went, other programs included; only the clock shows waiting for a lock. In this run a goroutine alone
  had a core for %.0[2]f %% of the time, and %[1]d goroutines had %[1]d cores for %.0[3]f %%.
`, r.Cores, 100*one, 100*all)
	} else {
		fmt.Fprintf(w, "- **gain**: how many times as much %d cores draw as one.\n", r.Cores)
	}
}

// writeOverview puts the reads of all sizes into one table.
func writeOverview(w io.Writer, r *Result) {
	sizes := slices.DeleteFunc(slices.Clone(peers.Sizes), func(size int) bool { return len(r.measured(peers.Read(size))) == 0 })
	if len(sizes) < 2 {
		return
	}
	fmt.Fprintf(w, "## Reads on one core\n\n![Throughput of one core by size of a read](peers-size.svg)\n\n")
	header, rule := "| |", "|---|"
	for _, size := range sizes {
		header += " " + peers.Bytes(size) + " |"
		rule += "--:|"
	}
	fmt.Fprintf(w, "%s\n%s\n", header, rule)
	for _, p := range peers.All() {
		line := "| " + name(p) + " |"
		measured := 0
		for _, size := range sizes {
			cell := ""
			if task := peers.Read(size); r.has(task, p) {
				measured++
				cell = times(r.cost(task, p, false).Median)
			}
			line += " " + cell + " |"
		}
		if measured > 0 {
			fmt.Fprintln(w, line)
		}
	}
	fmt.Fprintln(w)
}

// writeTask writes the table of one task.
func writeTask(w io.Writer, r *Result, task peers.Task) {
	list := r.measured(task)
	failed := slices.ContainsFunc(peers.All(), func(p peers.Peer) bool { return r.failure(task.Name, p.Name) != "" })
	if len(list) == 0 && !failed {
		return
	}
	fmt.Fprintf(w, "## %s\n\n", task.Title)
	if task.Name == peers.Values[0].Name {
		fmt.Fprintf(w, "![The cost of single values](peers-values.svg)\n\n")
	}
	heads := columns(r)
	fmt.Fprintf(w, "| | %s |\n|---|%s\n", strings.Join(heads, " | "), strings.Repeat("--:|", len(heads)))
	for _, p := range peers.All() {
		if why := r.failure(task.Name, p.Name); why != "" {
			cell := strings.ReplaceAll(why, "|", `\|`)
			fmt.Fprintf(w, "| %s | not measured: %s |%s\n", name(p), cell, strings.Repeat(" |", len(heads)-1))
		} else if r.has(task, p) {
			fmt.Fprintf(w, "| %s | %s |\n", name(p), strings.Join(cells(r, task, p), " | "))
		}
	}
	fmt.Fprintf(w, "\n%s\n\n", cheaper(r, task, list))
}

// columns are the heads of a task's table.
func columns(r *Result) []string {
	heads := []string{"one core", "ratio"}
	switch {
	case r.Cores == 1:
	case r.cpu():
		heads = append(heads, fmt.Sprintf("%d cores", r.Cores), "gain by CPU time", "by the clock")
	default:
		heads = append(heads, fmt.Sprintf("%d cores", r.Cores), "gain")
	}
	return append(heads, "allocations")
}

// cells are a peer's figures in these columns.
func cells(r *Result, task peers.Task, p peers.Peer) []string {
	cost := func(all bool) string {
		c := r.cost(task, p, all)
		return times(c.Median) + " " + plusMinus(c)
	}
	ratio := ""
	if base := peer(task.Base); r.has(task, base) {
		ratio = fmt.Sprintf("%.2f", measure.Of(r.ratios(task, p, base)...).Median)
	}
	list := []string{cost(false), ratio}
	if r.Cores > 1 {
		list = append(list, cost(true))
		cpu, clock := r.gains(task, p)
		for _, gains := range [][]float64{cpu, clock} {
			if gains != nil {
				list = append(list, fmt.Sprintf("%.2f", measure.Of(gains...).Median))
			}
		}
	}
	return append(list, fmt.Sprintf("%.0f", r.get(task, p, false).Allocations))
}

// name is a peer's name in a table; fount's stand out.
func name(p peers.Peer) string {
	if strings.HasPrefix(p.Name, "fount") {
		return "**" + p.Name + "**"
	}
	return p.Label()
}

// cheaper says where fount loses: to whom the whole interval of the ratio is below 1, or the median
// if there is no interval.
func cheaper(r *Result, task peers.Task, list []peers.Peer) string {
	fount := peer("fount")
	if !r.has(task, fount) {
		return "fount was not measured."
	}
	var names []string
	for _, p := range list {
		ratio := measure.Of(r.ratios(task, p, fount)...)
		_, high, _ := ratio.Interval()
		if !strings.HasPrefix(p.Name, "fount") && max(ratio.Median, high) < 1 {
			names = append(names, fmt.Sprintf("%s (%.2f)", p.Label(), ratio.Median))
		}
	}
	if len(names) == 0 {
		return "No other is cheaper than fount on one core."
	}
	return "Cheaper than fount on one core, with the ratio to it: " + strings.Join(names, ", ") + "."
}

// writePromises says what each peer's values are fit for, and which peers have no results.
func writePromises(w io.Writer, r *Result) {
	fmt.Fprintf(w, "## Promises\n\nA cost buys different things:\n\n| | |\n|---|---|\n")
	var missing []string
	for _, p := range peers.All() {
		fmt.Fprintf(w, "| %s | %s |\n", p.Name, p.Promise)
		if slices.ContainsFunc(peers.Tasks(), func(t peers.Task) bool { return r.get(t, p, false) != nil }) {
			continue
		}
		if p.Needs != "" {
			missing = append(missing, p.Name+" (needs "+p.Needs+")")
		} else {
			missing = append(missing, p.Name)
		}
	}
	if len(missing) > 0 {
		fmt.Fprintf(w, "\nNot measured in this run: %s.\n", strings.Join(missing, ", "))
	}
	fmt.Fprintln(w)
}
