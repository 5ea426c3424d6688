// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench scale: how drawing scales with threads, processes and goroutines, and how often one takes long.

package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"fount/lab/scale"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

const benchScaleLong = `fount bench scale: random values on 1 to N cores of this machine, the way of will-it-scale.

Threads are bound to a core each (on Linux), then processes; 16 bytes and 4 KiB; the kernel's generator in
three ways, one mutex around a generator, a mutex per synthetic node, and what shares nothing. One to N
take turns of 8 ms, in an order drawn anew in each round, and each round is compared with itself. There are
8 runs of rounds, and as many again where runs differ more than rounds. With fewer than four numbers of
threads no law is fitted. Then 1 to 100,000 goroutines draw on the same cores. It takes 45 s on two cores,
twice that where runs differ, with --quick 15 s.

--by-node fills the NUMA nodes one after the other, each thread bound to a CPU and held against where it was:
the table of the patch of 2015, "Make /dev/urandom scalable", and how long threads wait.

Nothing is modelled: see fount model. --json prints one object, with units in the names of its fields. -o
has the tables as comments. --svg also writes FILE-4k, FILE-speedup and FILE-goroutines.`

// scaleFlags are the flags of fount bench scale.
type scaleFlags struct {
	quick      bool
	bench      *regexp.Regexp
	count      int
	benchtime  time.Duration
	mode       string
	work       int
	nodes      int
	goroutines []int
	file, svg  string
	byNode     bool
	json       bool
	serve      bool // draw for another process; hidden
}

func newBenchScale() *cobra.Command {
	full := scale.Full()
	f := &scaleFlags{bench: regexp.MustCompile(""), goroutines: full.Goroutines}
	cmd := &cobra.Command{
		Use:   "scale [--quick] [--by-node] [flags]",
		Short: "values a second on 1 to N cores",
		Long:  benchScaleLong,
		Example: `  fount bench scale --quick --svg scale.svg
  fount bench scale --work 200 --goroutines none      200 ns between draws
  fount bench scale --by-node`,
		Args:    atMost(0),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	choice(cmd, &f.mode, "mode", "", "`MODE`: threads, processes, or both (both)", "a mode",
		"both", scale.Threads, scale.Processes)
	flags := cmd.Flags()
	flags.BoolVar(&f.quick, "quick", false, "fewer rounds: to look, not to publish")
	expressionFlag(flags, &f.bench, "bench", "measure the methods whose name matches `REGEXP` (all)")
	rounds := fmt.Sprintf("`N` rounds (%d, with --quick %d)", full.Rounds, scale.Quick().Rounds)
	number(flags, &f.count, "count", "", rounds, 1, 1e6, "number of rounds; use for example 31")
	turn := fmt.Sprintf("draw for that `TIME` in each turn (%v)", full.Turn)
	timeFlag(flags, &f.benchtime, "benchtime", "", turn, time.Minute)
	number(flags, &f.work, "work", "", "`NS` of work after each value, spun through (0)", 0, 1e9,
		"number of ns; use for example 200")
	number(flags, &f.nodes, "nodes", "", fmt.Sprintf("`N` synthetic nodes with a mutex each (%d)", full.Nodes), 1, 1<<10,
		"number of nodes; use for example 2")
	flags.Func("goroutines", "a `LIST` of numbers, or none (1,10,100,...,100000)", f.setGoroutines)
	outputFile(cmd, &f.file, "write `FILE` for benchstat; -: and no tables")
	filled(flags, &f.svg, "svg", "", "write plots into `FILE` and files named after it", "file name; use for example scale.svg")
	flags.BoolVar(&f.byNode, "by-node", false, "fill the NUMA nodes one after the other")
	jsonFlag(cmd, &f.json)
	flags.BoolVar(&f.serve, "serve", false, "draw for another process, which says where")
	flags.MarkHidden("serve")
	must(cmd.MarkFlagFilename("svg", "svg"))
	return cmd
}

func (f *scaleFlags) setGoroutines(s string) error {
	f.goroutines = nil
	if s == "none" {
		return nil
	}
	for part := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 || n > 1e6 {
			return fmt.Errorf("%q is not a list of numbers of goroutines from 1 to 1000000; use for example 1,100,10000, or none", s)
		}
		f.goroutines = append(f.goroutines, n)
	}
	return nil
}

// check finds what excludes what.
func (f *scaleFlags) check(cmd *cobra.Command) error {
	set := cmd.Flags().Changed
	switch {
	case f.file == "-" && f.json:
		return usagef("-o - and --json exclude each other; use one of them")
	case set("benchtime") && f.benchtime < 10*time.Microsecond:
		return usagef("--benchtime %v is too short to draw in; use for example 8ms", f.benchtime)
	}
	if f.byNode {
		for _, name := range []string{"mode", "nodes", "goroutines", "svg"} {
			if set(name) {
				return usagef("--%s is not of the machine's nodes; use it without --by-node", name)
			}
		}
	}
	return nil
}

// A scaleResult is what was measured, of either kind.
type scaleResult interface {
	Text(show.Style) string
	Write(io.Writer) error
	Plots() []scale.Plot
}

func (f *scaleFlags) run(cmd *cobra.Command) error {
	if f.serve {
		return f.drawForAnother(cmd)
	}
	ctx, stop := notifyContext(contextOf(cmd), os.Interrupt)
	defer stop()
	files, err := f.create(cmd.OutOrStdout())
	if err != nil {
		return err
	}
	defer files.close()
	line := progressOn(cmd, f.json)
	r, err := f.measure(ctx, line)
	line.Clear()
	if ctx.Err() != nil {
		return &exitError{statusInterrupted, "interrupted; nothing is written"}
	}
	if err != nil {
		return err
	}
	return f.show(cmd.OutOrStdout(), r, files)
}

// contextOf is the command's context; Main sets none.
func contextOf(cmd *cobra.Command) context.Context {
	if ctx := cmd.Context(); ctx != nil {
		return ctx
	}
	return context.Background()
}

// drawForAnother draws for the process that measures.
func (f *scaleFlags) drawForAnother(cmd *cobra.Command) error {
	signal.Ignore(os.Interrupt) // a terminal sends it to all; the one who measures ends this by closing its input
	return scale.Serve(cmd.InOrStdin(), cmd.OutOrStdout())
}

// scaleProgram is the command that draws for a measurement in a process of its own; nil if it can't be started.
func scaleProgram() []string {
	program, err := os.Executable()
	if err != nil || runtime.GOOS == "js" {
		return nil
	}
	return []string{program, "bench", "scale", "--serve"}
}

// measure measures what the flags say.
func (f *scaleFlags) measure(ctx context.Context, line *show.Progress) (scaleResult, error) {
	start := time.Now()
	progress := func(done, all int) {
		text := fmt.Sprintf("measuring: %d %%", 100*done/all)
		if done > 0 {
			text += fmt.Sprintf(", %.0f s left", math.Ceil(time.Since(start).Seconds()*float64(all-done)/float64(done)))
		}
		line.Show(text)
	}
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	o.Progress = progress
	if f.byNode {
		return scale.RunByNode(ctx, o)
	}
	return scale.Run(ctx, o)
}

// options are the flags as scale takes them.
func (f *scaleFlags) options() (scale.Options, error) {
	o := scale.Full()
	if f.quick {
		o = scale.Quick()
	}
	if f.count > 0 {
		o.Rounds, o.Runs = f.count, min(f.count, o.Runs)
		o.GoroutineRounds = min(o.GoroutineRounds, f.count)
	}
	if f.benchtime > 0 {
		o.Turn = f.benchtime
	}
	if f.nodes > 0 {
		o.Nodes = f.nodes
	}
	if f.mode == scale.Threads || f.mode == scale.Processes {
		o.Modes = []string{f.mode}
	}
	o.Work, o.Goroutines, o.Program = time.Duration(f.work), f.goroutines, scaleProgram()
	o.Methods = scale.Matching(f.bench.MatchString)
	if len(o.Methods(scale.Setting{})) == 0 {
		return o, usagef("--bench %q matches no method; use one of %s", f.bench, strings.Join(namesOf(scale.Methods(scale.Setting{})), ", "))
	}
	return o, nil
}

// scaleFiles is where -o and --svg write; nil is nowhere.
type scaleFiles struct {
	bench *resultFile
	dir   string // "" if there are no plots
}

// create opens the file and looks at the plots' directory, so that what can't be written is known before minutes are
// spent.
func (f *scaleFlags) create(out io.Writer) (files scaleFiles, err error) {
	if f.svg != "" {
		files.dir = filepath.Dir(f.svg)
		if info, err := os.Stat(files.dir); err != nil || !info.IsDir() {
			return files, fmt.Errorf("%s is no directory; make it first", files.dir)
		}
	}
	files.bench, err = (&bench{benchFlags: benchFlags{file: f.file}, out: out}).create()
	return files, err
}

func (s scaleFiles) close() { s.bench.close() }

// show prints the result and writes the files.
func (f *scaleFlags) show(out io.Writer, r scaleResult, files scaleFiles) error {
	switch {
	case f.json:
		if err := printJSON(out, r); err != nil {
			return err
		}
	case f.file != "-":
		if _, err := io.WriteString(out, r.Text(show.StyleOf(out, runtime.GOOS, os.Getenv))); err != nil {
			return err
		}
	}
	if f.svg != "" {
		if err := f.writePlots(r); err != nil {
			return err
		}
	}
	return files.bench.write(func(w io.Writer) error {
		if _, err := io.WriteString(w, f.comments(r)); err != nil {
			return err
		}
		return r.Write(w)
	})
}

// comments are the command and the tables, for readers; benchstat skips them.
func (f *scaleFlags) comments(r scaleResult) string {
	var b strings.Builder
	text := "Made by: " + f.command() + "\n" + r.Text(show.Style{Width: 118})
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight("# "+line, " \n") + "\n")
	}
	b.WriteString("\n")
	return b.String()
}

// command is the command with the flags that are not as usual, without the names of files.
func (f *scaleFlags) command() string {
	words := "fount bench scale"
	add := func(set bool, format string, args ...any) {
		if set {
			words += " " + fmt.Sprintf(format, args...)
		}
	}
	add(f.quick, "--quick")
	add(f.byNode, "--by-node")
	add(f.bench.String() != "", "--bench '%s'", f.bench)
	add(f.count > 0, "--count %d", f.count)
	add(f.benchtime > 0, "--benchtime %v", f.benchtime)
	add(f.mode != "" && f.mode != "both", "--mode %s", f.mode)
	add(f.work > 0, "--work %d", f.work)
	add(f.nodes > 0, "--nodes %d", f.nodes)
	return words
}

// writePlots writes the first plot into the file that was named and the others beside it.
func (f *scaleFlags) writePlots(r scaleResult) error {
	extension := filepath.Ext(f.svg)
	base := strings.TrimSuffix(f.svg, extension)
	for _, p := range r.Plots() {
		name := f.svg
		if p.Name != "" {
			name = base + "-" + p.Name + extension
		}
		svg, err := p.SVG()
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, svg, 0o666); err != nil {
			return err
		}
	}
	return nil
}
