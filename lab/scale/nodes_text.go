// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// The table of nodes as text.

import (
	"fmt"
	"slices"
	"strings"

	"fount/lab/machine"
	"fount/lab/show"
)

// Text is the tables, for a screen: rows by nodes, a column for each method, as many tables as the methods need.
func (r NodeResult) Text(s show.Style) string {
	var b strings.Builder
	b.WriteString(show.Paragraph(r.title(), s.Width, "", indent))
	for _, note := range r.notes() {
		b.WriteString(show.Paragraph(note, s.Width, "", ""))
	}
	rows := r.byKey()
	_, busy := r.busy()
	for _, size := range r.sizes() {
		methods := r.methods(size)
		for len(methods) > 0 {
			n := 1
			t := r.table(rows, busy, size, methods[:n])
			for n < len(methods) {
				wider := r.table(rows, busy, size, methods[:n+1])
				if wider.Width() > s.Width-len(indent) {
					break
				}
				n, t = n+1, wider
			}
			b.WriteString("\n" + t.String(indent))
			methods = methods[n:]
		}
	}
	for _, name := range sortedKeys(r.failed) {
		b.WriteString(show.Paragraph(name+" was not measured: "+r.failed[name]+".", s.Width, indent, indent))
	}
	b.WriteString("\n" + show.Paragraph(r.conditions()+nodeLegend, s.Width, indent, indent))
	return b.String()
}

func sortedKeys(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// title says that it was measured, and where.
func (r NodeResult) title() string {
	return strings.ToUpper(Label[:1]) + Label[1:] + ": " + siteText(r.Machine) + "; " + r.Placement.text() + "."
}

func siteText(m machine.Facts) string {
	facts := []string{m.CPU, strings.TrimSpace(m.OS + " " + m.Kernel)}
	if m.Vendor != "" {
		facts = append(facts, "under "+m.Vendor)
	}
	facts = append(facts, m.GoVersion, fmt.Sprintf("GOMAXPROCS %d", m.GOMAXPROCS))
	return strings.Join(slices.DeleteFunc(facts, func(s string) bool { return s == "" }), ", ")
}

// text is the nodes: 4 nodes of 36 CPUs.
func (p Placement) text() string {
	var sizes []string
	for _, place := range p.Nodes {
		sizes = append(sizes, fmt.Sprint(len(place.CPUs)))
	}
	cpus := show.Series(sizes)
	if len(slices.Compact(slices.Clone(sizes))) == 1 {
		cpus = sizes[0]
	}
	text := number(len(sizes), "node") + " of " + cpus + " CPUs"
	if cpus == "1" {
		text = strings.TrimSuffix(text, "s")
	}
	return text
}

func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// notes are what is to be known before the figures are read.
func (r NodeResult) notes() (notes []string) {
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if len(r.Placement.Nodes) == 1 {
		note("The threads are on one node, so the table has its one row. It says nothing of a second.")
	}
	if r.Placement.Source == "synthetic" {
		note("The nodes are synthetic, as FOUNT_NUMA_NODES asks: blocks of the CPUs. The rows say nothing of a machine that has nodes.")
	}
	if !r.Pinned {
		note("Threads are not bound to CPUs: a program can't do that on %s.", r.Machine.OS)
	}
	used := len(r.Placement.spots())
	if used < r.Machine.Cores {
		note("%d of %d CPUs are used, with GOMAXPROCS %d, and the last node may have more.", used, r.Machine.Cores, r.Machine.GOMAXPROCS)
	}
	if l := r.Machine.CPULimit; l > 0 && l < float64(used) {
		note("A cgroup limits the process to %.3g CPUs: more threads than that wait for one.", l)
	}
	if share, busy := r.busy(); busy {
		note("The speed-ups are not judged, and not printed: other programs had the CPUs too, and %.0f%% of their time was left.", 100*share)
	}
	return notes
}

// notHere stands for what this system does not account.
const notHere = "not here"

// table has these methods as columns.
func (r NodeResult) table(byKey map[rowKey]*NodeRow, busy bool, size int, methods []string) show.Table {
	t := show.Table{Head: append([]string{sizeText(size) + " values"}, methods...)}
	for nodes := range len(r.Placement.Nodes) + 1 {
		rows := make([]*NodeRow, len(methods))
		threads := 0
		for i, name := range methods {
			if rows[i] = byKey[rowKey{name, size, nodes}]; rows[i] != nil {
				threads = rows[i].Threads
			}
		}
		if threads == 0 {
			continue
		}
		line := func(name string, cell func(*NodeRow) string) {
			cells := []string{indent + name}
			for _, row := range rows {
				text := "-"
				if row != nil {
					text = cell(row)
				}
				cells = append(cells, text)
			}
			t.Rows = append(t.Rows, cells)
		}
		head := make([]string, len(methods)+1)
		head[0] = number(nodes, "node") + ", " + number(threads, "thread")
		if nodes == 0 {
			head[0] = "1 thread"
		}
		t.Rows = append(t.Rows, head)
		line("million/s", (*NodeRow).rate)
		if nodes > 0 {
			line("to 1 node", func(row *NodeRow) string { return row.speedup(busy) })
		}
		if nodes > 1 {
			line(indent+"95 %", func(row *NodeRow) string { return row.interval(busy) })
		}
		if threads > 1 {
			line("waiting, at most", func(row *NodeRow) string { return part(row.Waiting) })
		}
		line("asleep", func(row *NodeRow) string { return part(row.Asleep) })
	}
	return t
}

func (row *NodeRow) rate() string { return fmt.Sprintf("%.3g", row.Rate.Median/1e6) }

// speedup is to one node; "-" where other programs had the CPUs too.
func (row *NodeRow) speedup(busy bool) string {
	if row.Speedup == nil || busy {
		return "-"
	}
	return show.Ratio(row.Speedup.Median)
}

func (row *NodeRow) interval(busy bool) string {
	if f := row.Speedup; f != nil && f.Low != nil && f.High != nil && !busy {
		return show.Ratio(*f.Low) + "-" + show.Ratio(*f.High)
	}
	return "-"
}

// part is a share of time.
func part(f *Figure) string {
	if f == nil {
		return notHere
	}
	return fmt.Sprintf("%.0f%%", 100*max(0, f.Median))
}

// conditions are how it was measured.
func (r NodeResult) conditions() string {
	text := fmt.Sprintf("Medians of %d rounds in turns of %.3g ms, in %d runs", r.Rounds, float64(r.TurnNS)/1e6, r.Runs)
	if r.WorkNS > 0 {
		text += fmt.Sprintf(", %d ns of work after each value", r.WorkNS)
	}
	return text + ". "
}

const nodeLegend = `A node's threads are bound to its CPUs, one each, all of one node before the next, and each looked where it was
after every turn. to 1 node: each round to itself; the mean of the runs, with an interval over them. waiting, at most: share of
the threads' time that their values would not have taken at the CPU time that one thread alone spends on one. The wait for a
lock is in it, asleep or spinning, in the kernel too; so are cache lines that come from other CPUs, hyperthreads that share a
core and a slower clock, as arithmetic's column shows, which has no lock. It is no profile: perf names the lock. asleep: of the
threads' time, what they slept, which they do for a lock alone; by the kernel's accounts, exact. Time that other programs had
the CPUs is in neither.`
