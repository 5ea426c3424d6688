// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What the commands of fount bench share that are no studies yet.

package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

// A bench is one run of a benchmark.
type bench struct {
	benchFlags
	out    io.Writer
	style  show.Style
	screen io.Writer // terminal that shows the progress, nil for none

	name    string           // of the benchmark in files: Nonce
	methods []measure.Method // in the order of the table
	machine machine.Facts
}

func newBenchRun(cmd *cobra.Command, flags benchFlags, name string, methods []measure.Method) (*bench, error) {
	b := &bench{
		benchFlags: flags,
		out:        cmd.OutOrStdout(),
		style:      styleOf(cmd.OutOrStdout()),
		name:       name,
	}
	if b.methods = flags.matching(methods); b.methods == nil {
		return nil, usagef("--bench %q matches no method; use one of %s", flags.bench, strings.Join(namesOf(methods), ", "))
	}
	switch {
	case isTerminal(cmd.ErrOrStderr()):
		b.screen = cmd.ErrOrStderr()
	case isTerminal(b.out):
		b.screen = b.out
	}
	b.machine = machine.Inspect()
	if !b.machine.Random.Usable() {
		return nil, fmt.Errorf("this machine has no random bytes to give; see fount doctor")
	}
	return b, nil
}

func namesOf(methods []measure.Method) (names []string) {
	for _, m := range methods {
		names = append(names, m.Name)
	}
	return names
}

// plan is what the flags say of every measurement.
func (b *bench) plan() measure.Plan {
	p := measure.Plan{Rounds: b.count, Turn: b.benchtime.d, Values: b.benchtime.n, CPU: measure.ProcessCPU}
	if p.Values > 0 {
		p.Turn = usualTime
	}
	// By default 16 ms: feeders that make system calls fill ChannelRoundRobin's 32,000 places in 10 ms on one core.
	p.Warmup = p.Turn * 2 / 5
	for _, procs := range b.cpu {
		p.Procs = append(p.Procs, procs)
		p.Workers = append(p.Workers, b.workers(procs))
	}
	return p
}

// workers is how many goroutines draw with GOMAXPROCS=procs.
func (b *bench) workers(procs int) int {
	return cmp.Or(b.goroutines, b.usual, procs)
}

// matching are the methods that --bench asks for.
func (f *benchFlags) matching(methods []measure.Method) (kept []measure.Method) {
	for _, m := range methods {
		if f.bench.MatchString(m.Name) {
			kept = append(kept, m)
		}
	}
	return kept
}

// A job is methods that are measured by plans, one after the other.
type job struct {
	methods []measure.Method
	plans   []measure.Plan
}

// measure measures the methods by a plan.
func (b *bench) measure(p measure.Plan) []measure.Result {
	return b.measureAll([]job{{b.methods, []measure.Plan{p}}})[0][0]
}

// measureAll does the jobs one after the other and shows how far they are. Its results are by job and by plan.
func (b *bench) measureAll(jobs []job) [][][]measure.Result {
	line := b.progress()
	defer line.Clear()
	start, before, turns := time.Now(), 0, 0
	for _, j := range jobs {
		for _, p := range j.plans {
			turns += p.Turns(len(j.methods))
		}
	}
	results := make([][][]measure.Result, len(jobs))
	for i, j := range jobs {
		for _, p := range j.plans {
			results[i] = append(results[i], p.Run(j.methods, func(done, _ int) {
				done += before
				text := fmt.Sprintf("measuring %d methods in turns: %d %%", len(j.methods), 100*done/turns)
				if done > 0 {
					left := time.Since(start).Seconds() * float64(turns-done) / float64(done)
					text += fmt.Sprintf(", %.0f s left", math.Ceil(left))
				}
				line.Show(text)
			}))
			before += p.Turns(len(j.methods))
		}
	}
	return results
}

// progress is a line on the screen, nil if there is none.
func (b *bench) progress() *show.Progress {
	if b.screen == nil || b.json {
		return nil
	}
	return show.NewProgress(b.screen, styleOf(b.screen))
}

// print writes a part of the report for people.
func (b *bench) print(text string) error {
	if b.json || b.file == "-" {
		return nil
	}
	_, err := io.WriteString(b.out, text)
	return err
}

// finish writes the report for programs and the file.
func (b *bench) finish(r interface{ Write(io.Writer) error }, file *resultFile) error {
	if b.json {
		if err := printJSON(b.out, r); err != nil {
			return err
		}
	}
	return file.write(r.Write)
}

// report is all of a report but its tables.
func (b *bench) report() measure.Report {
	return measure.Report{Benchmark: b.name, Machine: b.machine, Count: b.count, Benchtime: b.benchtime.String(), Asked: b.goroutines}
}
