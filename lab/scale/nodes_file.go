// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// A table of nodes as a file: for benchstat, and to submit. A submission may come from anyone.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fount/internal/numa"
	"fount/lab/machine"
	"fount/lab/measure"
)

// Write writes a line for each round of each row, in the form that benchstat reads; what was read from a file has none:
//
//	BenchmarkNodes/method=fount/size=16/nodes=2/threads=72-72
func (r NodeResult) Write(w io.Writer) error {
	f := measure.NewFile(w, machine.Inspect())
	f.Set("turn", fmt.Sprintf("%dns", r.TurnNS))
	f.Set("work", fmt.Sprintf("%dns", r.WorkNS))
	f.Set("nodes", r.Placement.Source)
	for _, row := range r.Rows {
		name := fmt.Sprintf("Nodes/method=%s/size=%d/nodes=%d/threads=%d", measure.Slug(row.Method), row.Size, row.Nodes, row.Threads)
		for i, rate := range row.rates {
			f.Add(name, r.Machine.GOMAXPROCS, iterations(row.drawn, i), []measure.Value{value(1e9/rate, "ns/op"), value(rate, "values/s")})
		}
	}
	return f.Err
}

// Submit writes the result as a file that ReadNodes reads. Nothing in it says whose the machine is.
func (r NodeResult) Submit(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// What a submission may have: 11 methods of 2 sizes on 300 nodes are 6,600 rows of 500 bytes and 19 commas.
const (
	mostSubmitted = 4 << 20 // bytes
	mostCommas    = 1 << 18 // or 4 MiB of {}, would take 600 MB to read
	mostRows      = 8192
	mostMethods   = 64
	mostSizes     = 8 // each has tables of all nodes
)

// ReadNodes reads what Submit wrote. name is the file's, for Text. What it returns can be shown on a terminal, whoever wrote
// it: names are printable and short, and numbers finite and such as a machine can have.
func ReadNodes(from io.Reader, name string) (NodeResult, error) {
	text, err := io.ReadAll(io.LimitReader(from, mostSubmitted+1))
	if err != nil {
		return NodeResult{}, err
	}
	r, err := parseNodes(text)
	if err != nil {
		return NodeResult{}, fmt.Errorf("%s is no submitted result by node: %.200s", quoted(name), err.Error())
	}
	r.from = name
	return r, nil
}

func parseNodes(text []byte) (r NodeResult, err error) {
	if len(text) > mostSubmitted {
		return r, fmt.Errorf("it has more than %d bytes", mostSubmitted)
	}
	if n := bytes.Count(text, []byte(",")); n > mostCommas {
		return r, fmt.Errorf("it has %d commas, want up to %d", n, mostCommas)
	}
	var of struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(text, &of); err != nil {
		return r, err
	}
	switch {
	case of.Format != nodeFormat:
		return r, fmt.Errorf("its format is %.60q, want %q", of.Format, nodeFormat)
	case of.Version != nodeVersion:
		return r, fmt.Errorf("its version is %d, and this program reads %d", of.Version, nodeVersion)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, err
	}
	return r, r.valid()
}

// valid finds what no measurement gives.
func (r NodeResult) valid() error {
	m := r.Machine
	for _, s := range []string{r.Label, r.Fount, m.CPU, m.Arch, m.OS, m.Kernel, m.Hypervisor, m.Go} {
		if !plainText(s, 100) {
			return fmt.Errorf("%.60q is no name of up to 100 printable characters", s)
		}
	}
	if r.Label != Label {
		return fmt.Errorf("its label is %q, want %q", r.Label, Label)
	}
	err := errors.Join(
		within("cpus", float64(m.CPUs), 1, mostCPUs), within("gomaxprocs", float64(m.GOMAXPROCS), 1, math.MaxInt32),
		within("cpu_limit", m.CPULimit, 0, math.MaxInt32), within("rounds", float64(r.Rounds), 1, 1e7),
		within("runs", float64(r.Runs), 1, float64(max(1, r.Rounds))), within("turn_ns", float64(r.TurnNS), 1, 3600e9),
		within("work_ns", float64(r.WorkNS), 0, 1e9), r.Placement.valid(),
	)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return errors.New(first)
	}
	if n := len(r.Rows); n < 1 || n > mostRows {
		return fmt.Errorf("it has %d rows, want 1 to %d", n, mostRows)
	}
	seen, methods, sizes := map[rowKey]bool{}, map[string]bool{}, map[int]bool{}
	threads := r.Placement.threads()
	for _, row := range r.Rows {
		k := rowKey{row.Method, row.Size, row.Nodes}
		if seen[k] {
			return fmt.Errorf("%.60q, %d bytes, %d nodes is there twice", row.Method, row.Size, row.Nodes)
		}
		seen[k], methods[row.Method], sizes[row.Size] = true, true, true
		if err := row.valid(threads); err != nil {
			return fmt.Errorf("%.60q, %d bytes, %d nodes: %w", row.Method, row.Size, row.Nodes, err)
		}
	}
	if len(methods) > mostMethods || len(sizes) > mostSizes {
		return fmt.Errorf("it has %d methods and %d sizes, want up to %d and %d", len(methods), len(sizes), mostMethods, mostSizes)
	}
	return nil
}

const mostCPUs = 8192 // that Linux can have

// valid finds what no machine has.
func (p Placement) valid() error {
	if !slices.Contains([]string{"sysfs", "synthetic", "one node"}, p.Source) {
		return fmt.Errorf("its source of the nodes is %.60q", p.Source)
	}
	if n := len(p.Nodes); n < 1 || n > 1024 {
		return fmt.Errorf("it has %d nodes, want 1 to 1024", n)
	}
	if !slices.IsSortedFunc(p.Nodes, func(a, b numa.Place) int { return a.Node - b.Node }) {
		return errors.New("its nodes do not grow")
	}
	seen := map[int]bool{}
	for i, place := range p.Nodes {
		if place.Node < 0 || place.Node > 1023 || i > 0 && place.Node == p.Nodes[i-1].Node || len(place.CPUs) == 0 {
			return fmt.Errorf("node %d is out of range, there twice, or has no CPU", place.Node)
		}
		for _, cpu := range place.CPUs {
			if cpu < 0 || cpu >= mostCPUs || seen[cpu] {
				return fmt.Errorf("CPU %d is out of range or there twice", cpu)
			}
			seen[cpu] = true
		}
	}
	return nil
}

// valid finds what no method does; threads are those of 1, 2 and more nodes.
func (row NodeRow) valid(threads []int) error {
	switch {
	case !plainText(row.Method, 40) || row.Method == "":
		return errors.New("the method is no name of 1 to 40 printable characters")
	case row.Size < 1 || row.Size > 1<<20:
		return errors.New("want 1 to 1048576 bytes")
	case row.Nodes < 0 || row.Nodes > len(threads):
		return fmt.Errorf("want 0 to %d nodes", len(threads))
	case row.Nodes == 0 && row.Threads != 1 || row.Nodes > 0 && row.Threads != threads[row.Nodes-1]:
		return fmt.Errorf("it has %d threads, which is not what its nodes have", row.Threads)
	case row.Rate == nil:
		return errors.New("values_per_s is missing")
	}
	for _, f := range []struct {
		name        string
		figure      *Figure
		least, most float64
	}{
		{"values_per_s", row.Rate, 1e-9, 1e15}, {"to_one_node", row.Speedup, 1e-9, 1e6}, {"waiting_at_most", row.Waiting, -1e6, 1},
		{"asleep", row.Asleep, 0, 1}, {"core_share", row.Share, 0, 2},
	} {
		if err := f.figure.valid(f.name, f.least, f.most); err != nil {
			return err
		}
	}
	return nil
}

func (f *Figure) valid(name string, least, most float64) error {
	if f == nil {
		return nil
	}
	if err := within(name, f.Median, least, most); err != nil {
		return err
	}
	if (f.Low == nil) != (f.High == nil) {
		return fmt.Errorf("%s has half an interval", name)
	}
	if f.Low == nil {
		return nil
	}
	const far = 1e15 // Student's interval can be wider than what it is of
	if !(-far <= *f.Low && *f.Low <= f.Median && f.Median <= *f.High && *f.High <= far) {
		return fmt.Errorf("%s is %g with the interval %g to %g", name, f.Median, *f.Low, *f.High)
	}
	return nil
}

// within refuses what is out of range, NaN too.
func within(name string, x, least, most float64) error {
	if !(least <= x && x <= most) {
		return fmt.Errorf("%s is %g, want %g to %g", name, x, least, most)
	}
	return nil
}

// plainText reports whether a terminal can be given the text.
func plainText(s string, most int) bool {
	return len(s) <= most && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// quoted is a file's name as a terminal can be given it.
func quoted(name string) string {
	if plainText(name, len(name)) {
		return name
	}
	return strconv.Quote(name)
}
