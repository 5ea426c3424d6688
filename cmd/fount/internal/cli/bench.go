// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench and fount report: the studies of package lab, on the terminal and on a page.

package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fount/cmd/fount/internal/live"
	"fount/cmd/fount/internal/page"
	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/child"
	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/version"

	"github.com/spf13/cobra"
)

// benchLong returns the help text, which lists the studies.
func benchLong() string {
	text := "fount bench measures on this machine what five published reports measured on theirs.\n\n"
	for _, s := range studies {
		text += fmt.Sprintf("  %-10s %s, %.0f s\n", s.Name, s.About, s.Time.Seconds())
	}

	return text + `
In each of 16 rounds all rows of a table take turns, in random order. A figure is the median of the rounds with its
95 % interval. A ratio is the median of the rounds' ratios to the row that the table names, so it may differ from the
ratio of two printed figures. ~ means that the rounds do not agree which row is dearer (sign test with Bonferroni's
correction: 14 of 16 must agree in a table of 3 to 11 ratios). - means not judged: other programs took too much CPU
time. Elapsed times need 0.9 of the cores, methods whose goroutines contend need 0.95.

ns is elapsed time divided by the number of values, core ns is CPU time divided by it, and cores is how many cores
were busy on average. At rates above "pays from" a row saves 1 % of a core or more. Empty is the harness alone.

-o writes all figures: FILE.json for programs and for fount report --from, FILE.txt for benchstat.`
}

func newBench() *cobra.Command {
	var o lab.Options
	var file string
	cmd := &cobra.Command{
		Use:   "bench [STUDY...] [flags]",
		Short: "measure again what five reports found on random values and passwords",
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
	flags.BoolVar(&o.Quick, "quick", false, "make turns and loads shorter, not fewer")
	flags.Func("only", "measure only rows whose \"table: row\" matches `RE`", func(s string) (err error) {
		if o.Only, err = regexp.Compile(s); err != nil {
			err = fmt.Errorf("%q is not a regular expression: %s", s, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		return err
	})

	intFlag(flags, &o.Count, "count", "", "measure each table in `N` rounds", 1, 10_000)
	textFlag(flags, &file, "output", "o", "write all figures to `FILE`, .json or .txt",
		"file name; use for example figures.json")
	must(cmd.MarkFlagFilename("output", "json", "txt"))
	return cmd
}

// runBench measures the studies in list, prints the result of each, and writes all to file.
func runBench(cmd *cobra.Command, list []lab.Study, o lab.Options, file string) error {
	writers := map[string]func(io.Writer, []lab.Result) error{".json": writeJSON, ".txt": lab.WriteBenchstat}
	write := writers[filepath.Ext(file)]
	if file != "" && write == nil {
		return usagef("-o %q ends in neither .json nor .txt; use for example figures.json", file)
	}
	if file != "" {
		if err := probe(file); err != nil {
			return err
		}
	}

	results, err := measureStudies(cmd, list, o, func(r lab.Result) error {
		_, err := io.WriteString(cmd.OutOrStdout(), r.Text(show.StyleOf(cmd.OutOrStdout()))+"\n")
		return err
	})

	if len(results) > 0 && file != "" {
		err = errors.Join(err, writeFile(file, func(w io.Writer) error { return write(w, results) }))
	}
	return err
}

// measureStudies measures the studies in list one after the other, and calls done with each result.
// At an interrupt it returns the results so far, and of each other study one that says so.
func measureStudies(cmd *cobra.Command, list []lab.Study, o lab.Options, done func(lab.Result) error) (results []lab.Result, err error) {
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	line := progressOn(cmd, false)
	defer line.Clear()

	b := version.This()
	o.Version = fmt.Sprintf("fount %s, commit %.12s", b.Version, cmp.Or(b.Commit, "unknown"))
	o.Progress = line.Show

	var missing []string
	for _, s := range list {
		o.Command = benchCommand(s, o)
		if ctx.Err() != nil {
			missing = append(missing, s.Name)
			notes := []string{"Not measured: the run was interrupted."}
			results = append(results, lab.Result{Study: s.Name, Command: o.Command, Notes: notes})
			continue
		}

		r, err := s.Measure(ctx, o)
		line.Clear()
		if len(r.Groups) > 0 || len(r.Notes) > 0 {
			results = append(results, r)
			err = errors.Join(err, done(r))
		}
		if err != nil && ctx.Err() == nil {
			return results, err
		}
	}

	if ctx.Err() != nil {
		text := "interrupted"
		if missing != nil {
			text += ", and nothing measured of " + show.Choice(missing)
		}
		return results, &exitError{statusInterrupted, text}
	}
	return results, nil
}

// benchCommand returns the command that runs a study by these options.
func benchCommand(s lab.Study, o lab.Options) string {
	text := "fount bench " + s.Name
	if o.Quick {
		text += " --quick"
	}
	if o.Only != nil {
		text += " --only '" + strings.ReplaceAll(o.Only.String(), "'", `'\''`) + "'"
	}
	if o.Count > 0 {
		text += fmt.Sprintf(" --count %d", o.Count)
	}
	return text
}

func writeJSON(w io.Writer, results []lab.Result) error { return json.NewEncoder(w).Encode(results) }

// studyNames returns the names of all studies.
func studyNames() (names []string) {
	for _, s := range studies {
		names = append(names, s.Name)
	}
	return names
}

// studiesNamed returns the studies of these names, or all studies if there are no names.
func studiesNamed(names []string) (list []lab.Study, err error) {
	if len(names) == 0 {
		return studies, nil
	}

	for _, name := range names {
		i := slices.Index(studyNames(), name)
		if i < 0 {
			return nil, usagef("unknown study %q; use %s", name, show.Choice(studyNames()))
		}
		list = append(list, studies[i])
	}
	return list, nil
}

// newChild returns the command that a study runs for each process of its own.
func newChild() *cobra.Command {
	return &cobra.Command{
		Use:    "child STUDY",
		Short:  "used by studies: a process of their own",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, s := range append(slices.Clip(studies), lab.Study{Name: "live", Child: live.Child}) {
				if s.Name == args[0] && s.Child != nil {
					return s.Child(child.Pipes())
				}
			}
			return usagef("no study %q measures in processes of its own", args[0])
		},
	}
}

const reportLong = `fount report runs all studies of fount bench and writes one HTML page.

report.html can be printed and needs no other file; report.json has all figures. The page names the machine, the
commit, and the share of the cores that fount had. On a busy machine it does not judge elapsed times. A program built
by go run knows its commit only with -buildvcs=true. --from makes the page of an earlier report.json, and measures
nothing.`

func newReport() *cobra.Command {
	dir, from := "fount-report", ""
	var o lab.Options
	cmd := &cobra.Command{
		Use:   "report [-o DIR] [--quick | --from FILE]",
		Short: "run all studies of fount bench and write one HTML page",
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

	textFlag(cmd.Flags(), &dir, "output", "o", "write report.html and report.json into `DIR` ("+dir+")",
		"directory name; use . for this one")
	must(cmd.MarkFlagDirname("output"))

	cmd.Flags().BoolVar(&o.Quick, "quick", false, "make turns and loads shorter, not fewer")
	textFlag(cmd.Flags(), &from, "from", "", "make the page from the figures in `FILE`",
		"file name; use for example fount-report/report.json")
	must(cmd.MarkFlagFilename("from", "json"))
	return cmd
}

// runReport measures, or reads the results in the file from, and writes the report into dir.
func runReport(cmd *cobra.Command, dir, from string, o lab.Options) error {
	html := filepath.Join(dir, "report.html")
	figures := filepath.Join(dir, "report.json")

	if from != "" {
		results, err := readResults(from)
		if err == nil {
			err = os.MkdirAll(dir, 0o777)
		}
		if err != nil {
			return err
		}
		return writePage(cmd, html, results)
	}

	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := errors.Join(probe(html), probe(figures)); err != nil {
		return err
	}

	results, err := measureStudies(cmd, studies, o, func(lab.Result) error { return nil })
	if len(results) == 0 {
		return err
	}
	if _, missing := os.Stat(figures); err != nil && missing == nil {
		return fmt.Errorf("%w; %s stays as it was", err, figures)
	}

	err = errors.Join(err, writeFile(figures, func(w io.Writer) error { return writeJSON(w, results) }))
	return errors.Join(err, writePage(cmd, html, results))
}

// writePage writes the page of the results to a file, and prints its name.
func writePage(cmd *cobra.Command, name string, results []lab.Result) error {
	err := writeFile(name, func(w io.Writer) error { return page.Write(w, studies, results) })
	fmt.Fprintln(cmd.OutOrStdout(), name)
	return err
}

// readResults returns the results of an earlier run from its JSON file.
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
