// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What the commands of fount bench share that are no studies yet.

package cli

import (
	"fmt"
	"io"
	"strings"

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

// matching are the methods that --bench asks for.
func (f *benchFlags) matching(methods []measure.Method) (kept []measure.Method) {
	for _, m := range methods {
		if f.bench.MatchString(m.Name) {
			kept = append(kept, m)
		}
	}
	return kept
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
