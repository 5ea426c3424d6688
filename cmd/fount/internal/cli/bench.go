// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount bench: the studies of package lab, on the terminal.

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"fount/cmd/internal/lab"
	"fount/cmd/internal/lab/show"

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
		ValidArgs: namesOf(studies),
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
	flags.Func("only", "measure only rows whose \"table: row\" matches `RE`", func(s string) error {
		re, err := regexp.Compile(s)
		if err != nil {
			reason := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
			return fmt.Errorf("%q is not a regular expression: %s", s, reason)
		}
		o.Only = re
		return nil
	})
	intFlag(flags, &o.Count, "count", "", "measure each table in `N` rounds", 1, 10_000)
	textFlag(flags, &file, "output", "o", "write all figures to `FILE`, .json or .txt",
		"file name; use for example figures.json")
	return cmd
}

// runBench measures the studies in list, prints the result of each, and writes all to file.
func runBench(cmd *cobra.Command, list []lab.Study, o lab.Options, file string) error {
	toFile := file != ""
	writers := map[string]func(io.Writer, []lab.Result) error{".json": writeJSON, ".txt": lab.WriteBenchstat}
	write := writers[filepath.Ext(file)]
	if toFile {
		if write == nil {
			return usagef("-o %q ends in neither .json nor .txt; use for example figures.json", file)
		}
		if err := probe(file); err != nil {
			return err
		}
	}

	out := cmd.OutOrStdout()
	results, err := measureStudies(cmd, list, o, func(r lab.Result) error {
		_, err := io.WriteString(out, r.Text(show.StyleOf(out))+"\n")
		return err
	})

	if toFile && len(results) > 0 {
		err = errors.Join(err, writeFile(file, func(w io.Writer) error { return write(w, results) }))
	}
	return err
}

func writeJSON(w io.Writer, results []lab.Result) error { return json.NewEncoder(w).Encode(results) }
