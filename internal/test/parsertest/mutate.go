// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package parsertest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	executions = flag.Int("executions", 1_000_000, "how many strings TestMutants gives each parser")
	corpus     = flag.String("corpus", "", "a fuzz cache's `directory`, the inputs of which TestMutants begins with too")
	only       = flag.String("parser", "", "the one `name` of a parser that TestMutants takes")
)

// Mutate gives each target's parser as many strings as the flag says. Each execution is timed. Bytes are measured of up to 256
// at once, and of each where those took more than one string ever did: of strings that allocate too much about one in 20 is found.
// The test logs a line for each target, with tabs: its name, the inputs to begin with, how many were executed, accepted and
// computed, the longest time of an execution in ns and its string, the most bytes that one allocated and its string.
func Mutate(t *testing.T, targets []Target) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this parses millions of strings")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	for _, g := range targets {
		if *only == "" || *only == g.Name {
			t.Log(g.mutate(t, *executions))
		}
	}
}

// figures are what a target's executions came to.
type figures struct {
	inputs, executions, accepted, computed int

	slowest time.Duration // the least of 25, of the string that took longest
	slow    string
	most    uint64 // bytes that one execution allocated
	large   string
}

// A run is one of a target's.
type run struct {
	target Target
	figures
	t       testing.TB
	batch   []string
	compute []string // of the batch
	sum     uint64   // bytes of all that ran
}

func (g Target) mutate(t testing.TB, n int) string {
	m := &mutator{random: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())), corpus: append(cached(t, g.Name), g.Seeds...)}
	r := &run{target: g, figures: figures{inputs: len(m.corpus)}, t: t}
	for _, s := range m.corpus {
		r.batch = append(r.batch[:0], s)
		r.execute()
	}
	for r.executions < n && !t.Failed() {
		r.batch = r.batch[:0]
		for range r.together() {
			r.batch = append(r.batch, m.next())
		}
		r.execute()
	}
	return fmt.Sprintf("figures\t%s\t%d\t%d\t%d\t%d\t%d\t%.400q\t%d\t%.400q", g.Name, r.inputs, r.executions, r.accepted, r.computed,
		r.slowest.Nanoseconds(), r.slow, r.most, r.large)
}

// together returns how many strings may allocate together less than one has: measuring takes longer than parsing.
func (r *run) together() int {
	mean := r.sum/uint64(r.executions) + 1
	return int(min(max(1, r.most/mean), 256))
}

// execute parses the batch, and measures what it allocates. If that is more than one string ever did, it measures
// each by itself.
func (r *run) execute() {
	r.compute = r.compute[:0]
	before := total()
	for _, s := range r.batch {
		r.executions++
		began := time.Now()
		parsed, err := r.target.Parse(s)
		if time.Since(began) > r.slowest {
			r.time(s)
		}
		if !r.target.accepts(r.t, s, parsed, err) {
			continue
		}
		if r.accepted++; r.target.Compute != nil && r.accepted%64 == 0 {
			r.compute = append(r.compute, s)
		}
	}
	bytes := total() - before
	r.sum += bytes
	if bytes > r.most {
		for _, s := range r.batch {
			r.measure(s)
		}
	}
	for _, s := range r.compute {
		r.computed++
		r.target.Compute(r.t, s)
	}
}

// time takes the time of s again: of a string that was late by chance, the least of 25 is no longer than others'.
func (r *run) time(s string) {
	least := time.Duration(1<<63 - 1)
	for range 25 {
		began := time.Now()
		r.target.Parse(s)
		least = min(least, time.Since(began))
	}
	if least > r.slowest {
		r.slowest, r.slow = least, s
	}
}

func (r *run) measure(s string) {
	bytes := Allocated(min(r.most, r.target.limit(s)), func() { r.target.Parse(s) })
	r.target.bounded(r.t, s, bytes)
	if bytes > r.most {
		r.most, r.large = bytes, s
	}
}

// cached returns what the fuzzer found for the target, of the one that ends in its name.
func cached(t testing.TB, name string) (all []string) {
	if *corpus == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(*corpus, "Fuzz"+name, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, quoted, _ := strings.Cut(string(text), "string(")
		if s, err := strconv.Unquote(strings.TrimSuffix(strings.TrimSpace(quoted), ")")); err == nil {
			all = append(all, s)
		}
	}
	return all
}
