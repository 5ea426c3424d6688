// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The flags of fount bench, under go test's names.

package cli

import (
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"fount/lab/machine"
	"fount/lab/show"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// benchFlags are the flags of all benchmarks.
type benchFlags struct {
	bench      *regexp.Regexp
	benchtime  benchtime
	count      int
	cpu        []int // values of GOMAXPROCS
	goroutines int   // as asked for; 0: the usual number
	usual      int   // of goroutines; 0: GOMAXPROCS
	file       string
	json       bool
}

// usualTime is how long a run draws. 12 methods, 10 times, counted and timed: 15 s.
const usualTime = 40 * time.Millisecond

// addTo defines the flags. goroutines is their usual number, 0 for GOMAXPROCS.
func (f *benchFlags) addTo(cmd *cobra.Command, goroutines int) {
	f.bench = regexp.MustCompile("")
	f.benchtime = benchtime{d: usualTime}
	f.count = 10
	f.cpu = []int{runtime.GOMAXPROCS(0)}
	f.usual = goroutines
	many := "GOMAXPROCS"
	if goroutines > 0 {
		many = strconv.Itoa(goroutines)
	}
	flags := cmd.Flags()
	expressionFlag(flags, &f.bench, "bench", "measure the methods whose name matches `REGEXP` (all)")
	flags.Func("benchtime", "`TIME` of draws in each run, or Nx values (40ms)", f.benchtime.set)
	number(flags, &f.count, "count", "", "`N` runs of each method (10)", 1, 1e6, "number of runs; use for example 10")
	flags.Func("cpu", "a `LIST` for GOMAXPROCS, such as 1,2,4 (as it is)", f.setCPU)
	number(flags, &f.goroutines, "goroutines", "", "`N` goroutines draw at once ("+many+")", 1, 1e5, "number of goroutines; use for example 32")
	outputFile(cmd, &f.file, "write `FILE` for benchstat; -: and no tables")
	flags.BoolVar(&f.json, "json", false, "print one JSON object; see fount bench --help")
}

// check finds what excludes what.
func (f *benchFlags) check() error {
	if f.file == "-" && f.json {
		return usagef("-o - and --json exclude each other; use one of them")
	}
	return nil
}

// title is the command, its words given, with the flags of all benchmarks, and the machine.
func (f *benchFlags) title(words string, m machine.Facts, s show.Style) string {
	words += fmt.Sprintf(" --benchtime %v --count %d", f.benchtime, f.count)
	if f.goroutines > 0 {
		words += fmt.Sprintf(" --goroutines %d", f.goroutines)
	}
	if all := f.bench.String(); all != "" {
		words += fmt.Sprintf(" --bench '%s'", all)
	}
	return titleOf(words, m, s)
}

// titleOf is a command with all its words, the machine, and what else is to be said of it.
func titleOf(words string, m machine.Facts, s show.Style, more ...string) string {
	facts := slices.DeleteFunc(append([]string{m.CPU, strings.TrimSpace(m.OS + " " + m.Kernel), m.GoVersion}, more...),
		func(fact string) bool { return fact == "" })
	return show.Paragraph(words, s.Width, "", "  ") + show.Paragraph(strings.Join(facts, ", "), s.Width, "", "")
}

// mostCPUs bounds GOMAXPROCS, for which the runtime makes a state each.
const mostCPUs = 1 << 12

func (f *benchFlags) setCPU(s string) error {
	f.cpu = nil
	for part := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 || n > mostCPUs {
			return fmt.Errorf("%q is not a list of numbers of CPUs from 1 to %d; use for example 1,2,4", s, mostCPUs)
		}
		f.cpu = append(f.cpu, n)
	}
	return nil
}

// A benchtime is how long a run draws, or how much.
type benchtime struct {
	d time.Duration
	n int
}

func (b *benchtime) set(s string) error {
	*b = benchtime{}
	if digits, ok := strings.CutSuffix(s, "x"); ok {
		n, err := strconv.Atoi(digits)
		if err == nil && n > 0 && n <= math.MaxInt32 {
			b.n = n
			return nil
		}
	} else if d, err := time.ParseDuration(s); err == nil && d > 0 && d <= time.Hour {
		b.d = d
		return nil
	}
	return fmt.Errorf("%q is neither a time above 0s and up to 1h nor Nx with N from 1 to %d; use for example 40ms or 100000x",
		s, math.MaxInt32)
}

func (b benchtime) String() string {
	if b.n > 0 {
		return fmt.Sprintf("%dx", b.n)
	}
	return b.d.String()
}

// number defines a flag for a number from least to most; short may be "". what is the number and an example, as in "number
// of runs; use for example 10".
func number(flags *pflag.FlagSet, dst *int, name, short, usage string, least, most int, what string) {
	what, example, _ := strings.Cut(what, ";")
	flags.FuncP(name, short, usage, func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < least || n > most {
			return fmt.Errorf("%q is not a %s from %d to %d;%s", s, what, least, most, example)
		}
		*dst = n
		return nil
	})
}

// choice defines a flag for one of some words, and completes it; short may be "".
func choice(cmd *cobra.Command, dst *string, name, short, usage, what string, words ...string) {
	cmd.Flags().FuncP(name, short, usage, func(s string) error {
		if !slices.Contains(words, s) {
			return fmt.Errorf("%q is not %s; use %s", s, what, show.Choice(words))
		}
		*dst = s
		return nil
	})
	complete := cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the flag is defined above
	}
}
