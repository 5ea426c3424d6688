// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench and fount report: the studies of the lab, on the command line and on a page.

package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/live"
	"fount/cmd/internal/lab/page"
	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/version"

	"github.com/spf13/cobra"
)

// benchLong is the help text, with the studies.
func benchLong() string {
	text := "fount bench: what the five reports measured, measured here.\n\n"
	for _, s := range studies {
		text += fmt.Sprintf("  %-10s %s, %.0f s\n", s.Name, s.About, s.Time.Seconds())
	}
	return text + `
In each of 16 rounds all rows of a table take turns, in random order. A figure is the median of the rounds with its
95 % interval. A ratio is the median of the rounds' ratios, not that of two printed figures; each table says what it
is to. It is ~ where too few rounds agree on which of the two is dearer: by the sign test, for which 14 of 16 must in
a table of 3 to 11 ratios (Bonferroni). Other programs take from the share of the cores that this one has: below 0.9
no elapsed time is judged, below 0.95 no draws of several goroutines, which meet less often then.

ns is elapsed time by the values of all goroutines together, core ns the CPU time of all by the same, and cores how
many they kept busy: 1 of 2 means that a method runs on one core. From the rate in "pays from" on, a row saves 1 % of
a core. Empty is the harness alone.

-o writes all figures: FILE.json for programs and fount report --from, FILE.txt for benchstat.`
}

// newBench is the command "fount bench".
func newBench() *cobra.Command {
	var o lab.Options
	var file string
	cmd := &cobra.Command{
		Use:   "bench [STUDY...] [flags]",
		Short: "five reports on random values and password hashes, measured again",
		Long:  benchLong(),
		Example: `  fount bench nonce --quick
  fount bench nonce --only 'Baseline|Amortized' -o nonce.json`,
		ValidArgs: studyNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := studiesNamed(args)
			if err != nil {
				return err
			}
			return runBench(cmd, list, o, file)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.Quick, "quick", false, "shorter turns and loads, as many rounds")
	flags.Func("only", "measure the rows whose \"table: row\" matches `RE`", func(s string) (err error) {
		if o.Only, err = regexp.Compile(s); err != nil {
			err = fmt.Errorf("%q is not a regular expression: %s", s, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		return err
	})
	number(flags, &o.Count, "count", "", "`N` rounds", 1, 10_000)
	filled(flags, &file, "output", "o", "write all figures to `FILE`, .json or .txt", "file name; use for example figures.json")
	must(cmd.MarkFlagFilename("output", "json", "txt"))
	return cmd
}

// runBench measures the studies and prints each when it is done.
func runBench(cmd *cobra.Command, list []lab.Study, o lab.Options, file string) error {
	write := map[string]func(io.Writer, []lab.Result) error{".json": writeJSON, ".txt": lab.WriteBenchstat}[filepath.Ext(file)]
	if file != "" && write == nil {
		return usagef("-o %q ends in neither .json nor .txt; use for example figures.json", file)
	}
	if file != "" {
		if err := probe(file); err != nil {
			return err
		}
	}
	results, err := measureStudies(cmd, list, o, func(r lab.Result) error {
		_, err := io.WriteString(cmd.OutOrStdout(), r.Text(styleOf(cmd.OutOrStdout()))+"\n")
		return err
	})
	if len(results) > 0 && file != "" {
		err = errors.Join(err, writeFile(file, func(w io.Writer) error { return write(w, results) }))
	}
	return err
}

// measureStudies measures the studies in turn and hands each result to done. At an interrupt it
// returns what is finished.
func measureStudies(cmd *cobra.Command, list []lab.Study, o lab.Options, done func(lab.Result) error) (results []lab.Result, err error) {
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	line := progressOn(cmd, false)
	defer line.Clear()
	b := version.This()
	o.Progress, o.Version = line.Show, fmt.Sprintf("fount %s, commit %.12s", b.Version, cmp.Or(b.Commit, "unknown"))
	for _, s := range list {
		r, err := s.Measure(ctx, o)
		line.Clear()
		if len(r.Groups) > 0 || len(r.Notes) > 0 {
			results = append(results, r)
			err = errors.Join(err, done(r))
		}
		if errors.Is(err, context.Canceled) {
			return results, &exitError{statusInterrupted, "interrupted; what was finished is kept"}
		}
		if err != nil {
			return results, err
		}
	}
	return results, nil
}

func writeJSON(w io.Writer, results []lab.Result) error { return json.NewEncoder(w).Encode(results) }

// studyNames are the names of all studies.
func studyNames() (names []string) {
	for _, s := range studies {
		names = append(names, s.Name)
	}
	return names
}

// studiesNamed are the studies of these names, all without any.
func studiesNamed(names []string) (list []lab.Study, err error) {
	if len(names) == 0 {
		return studies, nil
	}
	for _, name := range names {
		i := slices.IndexFunc(studies, func(s lab.Study) bool { return s.Name == name })
		if i < 0 {
			return nil, usagef("unknown study %q; %s", name, "use "+show.Choice(studyNames()))
		}
		list = append(list, studies[i])
	}
	return list, nil
}

// newChild is the command that studies start for what they measure in processes of their own.
func newChild() *cobra.Command {
	return &cobra.Command{
		Use:    "child STUDY",
		Short:  "a part of a study, which starts it and tells it what to do",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, s := range append(slices.Clip(studies), lab.Study{Name: "live", Child: live.Child}) {
				if s.Name == args[0] && s.Child != nil {
					return s.Child(json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout))
				}
			}
			return usagef("no study %q measures in processes of its own", args[0])
		},
	}
}

const reportLong = `fount report: all studies of fount bench, one after the other, on one HTML page.

It writes report.html, which needs no other file and can be printed, and report.json, all figures. The page names
the machine, the commit, and which part of the cores it had: of a busy machine it does not tell what is by the clock. In a clone of the repository "go run -buildvcs=true ./cmd/fount report" knows the commit, go run alone
does not. --from makes the page of such a file again, without measuring.`

// newReport is the command "fount report".
func newReport() *cobra.Command {
	dir, from := "fount-report", ""
	var o lab.Options
	cmd := &cobra.Command{
		Use:   "report [-o DIR] [--quick | --from FILE]",
		Short: "everything above, measured and told on one page",
		Long:  reportLong,
		Args:  atMost(0),
		Example: `  fount report --quick
  fount report -o new --from old/report.json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if from != "" && o.Quick {
				return usagef("--from measures nothing; leave --quick out")
			}
			return runReport(cmd, dir, from, o)
		},
	}
	filled(cmd.Flags(), &dir, "output", "o", "write report.html and report.json into `DIR` ("+dir+")", "directory name; use . for this one")
	must(cmd.MarkFlagDirname("output"))
	cmd.Flags().BoolVar(&o.Quick, "quick", false, "shorter turns and loads, as many rounds")
	filled(cmd.Flags(), &from, "from", "", "make the page of the figures in `FILE`", "file name; use for example fount-report/report.json")
	must(cmd.MarkFlagFilename("from", "json"))
	return cmd
}

// runReport measures, or reads what was measured, and writes the files.
func runReport(cmd *cobra.Command, dir, from string, o lab.Options) error {
	html, figures := filepath.Join(dir, "report.html"), filepath.Join(dir, "report.json")
	var results []lab.Result
	var err error
	if from != "" {
		if results, err = readResults(from); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if from == "" {
		if err := errors.Join(probe(html), probe(figures)); err != nil {
			return err
		}
		if results, err = measureStudies(cmd, studies, o, func(lab.Result) error { return nil }); len(results) == 0 {
			return err
		}
		err = errors.Join(err, writeFile(figures, func(w io.Writer) error { return writeJSON(w, results) }))
	}
	err = errors.Join(err, writeFile(html, func(w io.Writer) error { return page.Write(w, results) }))
	fmt.Fprintln(cmd.OutOrStdout(), html)
	return err
}

// readResults reads the file of an earlier report.
func readResults(name string) ([]lab.Result, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	results, err := lab.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s holds no figures of fount bench or fount report: %w", name, err)
	}
	return results, nil
}
