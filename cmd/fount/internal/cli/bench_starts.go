// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench files on Plan 9: whole programs at the device itself, and behind fount's files.

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"fount/cmd/fount/internal/randfs"
	"fount/cmd/fount/internal/randfs/ninep"
	"fount/lab/files"
	"fount/lab/machine"
	"fount/lab/measure"

	"github.com/spf13/cobra"
)

// startsHere reports whether fount bench files measures programs: on Plan 9, where each process can have a /dev/random of its
// own.
const startsHere = runtime.GOOS == "plan9"

// A startsReport is what --json prints.
type startsReport struct {
	machine.Facts `json:"machine"`
	files.StartResult
}

// checkPrograms refuses programs where none are started.
func (f *filesFlags) checkPrograms() error {
	switch {
	case len(f.programs) > 0 && !startsHere:
		return usagef("--program needs Plan 9, where a process has a /dev/random of its own; here the processes are fount's")
	case slices.ContainsFunc(f.programs, func(p string) bool { return strings.TrimSpace(p) == "" }):
		return usagef("--program has an empty command; use for example 'fount uuid'")
	case startsHere && (f.Ring != files.Empty || f.Limit != files.DefaultLimit):
		return usagef("--ring and --deadline are for the emulated device; Plan 9's own is drained, and a run goes to its end")
	}
	return nil
}

// names are those of what is measured here, for --bench.
func (f *filesFlags) names() []string {
	if startsHere {
		return files.Places()
	}
	return files.Names()
}

func (f *filesFlags) runStarts(cmd *cobra.Command, b *bench) (write func(io.Writer) error, err error) {
	r := startsReport{Facts: machine.Inspect()}
	r.StartResult, err = withProcesses(cmd, f.json, "bench files starter", func(ctx context.Context, starter []string, progress func(string)) (files.StartResult, error) {
		words := fmt.Sprintf("fount bench files --procs %d --count %d%s", f.Procs, f.Options.Count, f.matching())
		for _, p := range f.programs {
			words += " --program " + forRC(p)
		}
		if err := b.print(titleOf(words, r.Facts, b.style)); err != nil {
			return files.StartResult{}, err
		}
		return files.RunStarts(ctx, files.StartOptions{Programs: f.programs, Procs: f.Procs, Count: f.Options.Count,
			Post: postFor, Starter: starter, Measure: f.Measure, Progress: progress})
	})
	if err != nil {
		return nil, err
	}
	if f.json {
		err = printJSON(b.out, r)
	} else {
		err = b.print("\n" + r.Text(b.style))
	}
	return r.benchmarks, errors.Join(err, r.Failed())
}

// forRC is a word for rc, in whose quotes a quote is two.
func forRC(word string) string { return "'" + strings.ReplaceAll(word, "'", "''") + "'" }

// benchmarks writes the lines for benchstat.
func (r *startsReport) benchmarks(w io.Writer) error {
	f := measure.NewFile(w, r.Facts)
	for _, line := range r.Benchmarks() {
		f.Write(line)
	}
	return f.Err
}

// postFor serves the program's files at /srv/NAME until the program ends.
func postFor(name string) error {
	posted, ended := make(chan struct{}), make(chan error, 1)
	server := &ninep.Server{Tree: randfs.New(randfs.Source{})}
	go func() { ended <- ninep.Post(name, server, func() { close(posted) }) }()
	select {
	case <-posted:
		return nil
	case err := <-ended:
		return err
	}
}

// newFilesStarter is the command that fount bench files runs at each place on Plan 9.
func newFilesStarter() *cobra.Command {
	return &cobra.Command{
		Use:    "starter",
		Short:  "one place of fount bench files on Plan 9, which starts it and tells it which programs to start",
		Hidden: true,
		Args:   atMost(0),
		RunE:   func(cmd *cobra.Command, _ []string) error { return files.Starter(cmd.InOrStdin(), cmd.OutOrStdout()) },
	}
}
