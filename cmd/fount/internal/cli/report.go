// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount report: the studies of package lab, on a page.

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fount/cmd/fount/internal/page"
	"fount/cmd/internal/lab"

	"github.com/spf13/cobra"
)

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

	cmd.Flags().BoolVar(&o.Quick, "quick", false, "make turns and loads shorter, not fewer")
	textFlag(cmd.Flags(), &from, "from", "", "make the page from the figures in `FILE`",
		"file name; use for example fount-report/report.json")
	return cmd
}

// runReport measures, or reads the results in the file from, and writes the report into dir.
func runReport(cmd *cobra.Command, dir, from string, o lab.Options) error {
	html := filepath.Join(dir, "report.html")
	figures := filepath.Join(dir, "report.json")

	if from != "" {
		results, err := readResults(from)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
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
	_, statErr := os.Stat(figures)
	wouldReplace := statErr == nil
	if err != nil && wouldReplace {
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
