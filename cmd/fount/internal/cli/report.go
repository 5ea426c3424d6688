// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount report: all studies on one page.

package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fount/lab"
	"fount/lab/page"

	"github.com/spf13/cobra"
)

const reportLong = `fount report: all studies of fount bench, one after the other, on one HTML page.

It writes report.html, which needs no other file and can be printed, and report.json, all figures. Other programs
that run meanwhile change them. --from makes the page of such a file again, without measuring.`

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
	cmd.Flags().BoolVar(&o.Quick, "quick", false, "measure for a quarter of the time")
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
