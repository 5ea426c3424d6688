// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount model scale: random bytes drawn in parallel on several sockets, simulated.

package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"fount/lab/model"
	"fount/lab/show"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const modelScaleLong = `fount model scale: threads on 1 to 8 sockets draw random bytes behind locks, simulated event
by event. Nothing in it is measured.

It repeats the table of Andi Kleen's patch of 2015, "Make /dev/urandom scalable": it calibrates one locked pool to
one published point and predicts a pool per node, with the errors. Then come the locking cliff, other designs, and
the effect of a dearer cache line. docs/scale-model.md says what is modelled and what is left out.

--lock models one design instead: one pool behind a ticket or an mcs lock, one behind a ticket lock on each node, or
none, with a state for each thread. --svg FILE.svg also writes FILE-cliff.svg and FILE-designs.svg. The same flags
give the same figures.`

// modelFlags are the flags of fount model scale.
type modelFlags struct {
	options model.Options // --cores, --near, --draws and --seed, and the usual ones
	lock    string        // "": the study
	sockets int
	section float64
	work    float64
	far     float64
	json    bool
	file    string
	svg     string
}

// The usual values of the flags that need --lock.
const (
	usualSockets = 4
	usualSection = 3000
	usualWork    = 10000
	usualFar     = 105 // as calibrated
)

func newModelScale() *cobra.Command {
	f := &modelFlags{options: model.Usual(), sockets: usualSockets, section: usualSection, work: usualWork, far: usualFar}
	cmd := &cobra.Command{
		Use:   "scale [--lock LOCK] [flags]",
		Short: "the table of the patch of 2015, from the cost of a cache line",
		Long:  modelScaleLong,
		Example: `  fount model scale -o model.txt --svg model.svg
  fount model scale --lock ticket --sockets 8 --work 200000`,
		Args:    atMost(0),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.checkFlags(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.addTo(cmd)
	return cmd
}

func (f *modelFlags) addTo(cmd *cobra.Command) {
	flags, o := cmd.Flags(), &f.options
	var locks []string
	for _, l := range model.Locks {
		locks = append(locks, string(l))
	}
	choice(cmd, &f.lock, "lock", "", "model one design: `LOCK` is ticket, mcs, node or none", "a lock", locks...)
	number(flags, &f.sockets, "sockets", "", "with --lock: 1 to `N` sockets (4)", 1, 64,
		"number of sockets; use for example 4")
	number(flags, &o.Cores, "cores", "", "`N` cores a socket, of two threads each (18)", 1, 256,
		"number of cores; use for example 18")
	nanoseconds(flags, &f.section, "section", "with --lock: a draw under the lock takes `NS` (3000)", 0.001, 1e6)
	nanoseconds(flags, &f.work, "work", "with --lock: a thread works `NS` between two draws (10000)", 0, 1e9)
	nanoseconds(flags, &o.Near, "near", "a cache line takes `NS` within a socket (25)", 0, 10000)
	nanoseconds(flags, &f.far, "far", "with --lock: it takes `NS` from socket to socket (105)", 0, 1e6)
	value(flags, &o.Draws, "draws", "", "`N` draws in each run (400000)", func(s string) (int64, bool) {
		n, err := strconv.ParseFloat(s, 64) // so that 1e8 is a number of draws
		return int64(n), err == nil && n == math.Trunc(n) && n >= 1000 && n <= 1e9
	}, "a number of draws from 1000 to 1e9; use for example 400000")
	value(flags, &o.Seed, "seed", "", "`N` is the seed of the simulation (1)", func(s string) (int64, bool) {
		n, err := strconv.ParseInt(s, 10, 64)
		return n, err == nil
	}, fmt.Sprintf("a seed, a whole number from %d to %d; use for example 1", int64(math.MinInt64), int64(math.MaxInt64)))
	filled(flags, &f.file, "output", "o", "write the text into `FILE` too", "file name; use for example model.txt")
	filled(flags, &f.svg, "svg", "", "write plots to `FILE`, which ends with .svg", "file name; use for example model.svg")
	must(cmd.MarkFlagFilename("output"))
	must(cmd.MarkFlagFilename("svg"))
	jsonFlag(cmd, &f.json)
}

// nanoseconds defines a flag for a time in ns.
func nanoseconds(flags *pflag.FlagSet, dst *float64, name, usage string, least, most float64) {
	value(flags, dst, name, "", usage, func(s string) (float64, bool) {
		ns, err := strconv.ParseFloat(s, 64)
		return ns, err == nil && ns >= least && ns <= most
	}, fmt.Sprintf("a time in ns from %v to %v; use for example 100", least, most))
}

// checkFlags refuses flags that exclude each other, and what can't be modelled.
func (f *modelFlags) checkFlags(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	for _, name := range []string{"sockets", "section", "work", "far"} {
		if changed(name) && f.lock == "" {
			return usagef("--%s is of one design; use it with --lock", name)
		}
	}
	switch {
	case changed("svg") && f.lock != "":
		return usagef("--svg draws the study, and --lock is one design; use one of them")
	case changed("svg") && (!strings.HasSuffix(f.svg, ".svg") || filepath.Base(f.svg) == ".svg"):
		return usagef("--svg %q does not end with a name and .svg; use for example model.svg", f.svg)
	}
	var err error
	if f.lock != "" {
		err = f.config().Check()
	} else {
		err = f.options.Check()
	}
	if err != nil {
		return usagef("%v", err)
	}
	return nil
}

// config is the one design.
func (f *modelFlags) config() model.Config {
	o := f.options
	return model.Config{Sockets: f.sockets, Cores: o.Cores, Threads: o.Threads, Lock: model.Lock(f.lock), Near: o.Near,
		Far: f.far, Section: f.section, Work: f.work, Draws: o.Draws, Seed: o.Seed}
}

// A modelResult is what one of the modes found.
type modelResult interface{ Text(show.Style) string }

// run models, prints, and writes the files.
func (f *modelFlags) run(cmd *cobra.Command) error {
	if err := f.touch(); err != nil {
		return err
	}
	line := progressOn(cmd, f.json)
	r, err := f.model(cmd.Context(), line)
	line.Clear()
	if err != nil {
		return err
	}
	err = printResult(cmd, f.json, r, r.Text)
	if f.file != "" {
		text := f.made() + r.Text(show.Style{Width: 118, Unicode: true})
		err = errors.Join(err, os.WriteFile(f.file, []byte(text), 0o666))
	}
	if study, ok := r.(model.Result); ok && f.svg != "" {
		err = errors.Join(err, f.plot(study))
	}
	return err
}

// touch looks at the files, so that a name which can't be written is known before anything is modelled. What they hold
// stays until there is something to take its place.
func (f *modelFlags) touch() error {
	for _, name := range []string{f.file, f.svg} {
		if name == "" {
			continue
		}
		file, err := openResult(name)
		if err != nil {
			return err
		}
		if file != nil {
			file.Close()
		}
	}
	return nil
}

// model runs the mode that the flags ask for.
func (f *modelFlags) model(ctx context.Context, line *show.Progress) (modelResult, error) {
	if f.lock != "" {
		return model.RunSweep(ctx, f.config())
	}
	o := f.options
	o.Progress = func(step string) { line.Show("modelling: " + step) }
	return model.Run(ctx, o)
}

// made is the first line of a file: how it was made.
func (f *modelFlags) made() string {
	line := "Made by: go run ./cmd/fount model scale"
	if f.lock != "" {
		line += " --lock " + f.lock
	}
	usual := model.Usual()
	for _, v := range []struct {
		flag        string
		is, usually float64
	}{
		{"sockets", float64(f.sockets), usualSockets}, {"cores", float64(f.options.Cores), float64(usual.Cores)},
		{"section", f.section, usualSection}, {"work", f.work, usualWork}, {"near", f.options.Near, usual.Near},
		{"far", f.far, usualFar}, {"draws", float64(f.options.Draws), float64(usual.Draws)},
		{"seed", float64(f.options.Seed), float64(usual.Seed)},
	} {
		if v.is != v.usually {
			line += fmt.Sprintf(" --%s %s", v.flag, strconv.FormatFloat(v.is, 'f', -1, 64))
		}
	}
	return line + "\n\n"
}

// plot writes the plots of the study.
func (f *modelFlags) plot(r model.Result) error {
	plots, err := r.Plots()
	for name, svg := range plots {
		err = errors.Join(err, os.WriteFile(strings.TrimSuffix(f.svg, ".svg")+name+".svg", svg, 0o666))
	}
	return err
}
