// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount report: everything that the other commands measure, on one page.

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fount/lab/page"

	"github.com/spf13/cobra"
)

const reportLong = `fount report: measure this machine with the other commands, one after the other, and write one HTML page.

It runs doctor, bench nonce, bench source, bench scale, bench files and load password, which takes about five
minutes; other programs that run meanwhile change the figures. It writes the page to DIR as report.html, which
needs no other file and can be printed, and the JSON of each command beside it.

The page names a command that fails; the others run all the same, and the exit status is 1. --from makes the page
again from the files of an earlier report, without measuring.`

// reportFlags are the flags of fount report.
type reportFlags struct {
	dir   string
	from  string
	force bool
}

func newReport() *cobra.Command {
	f := new(reportFlags)
	cmd := &cobra.Command{
		Use:   "report [-o DIR [--force] | --from DIR]",
		Short: "everything above, measured and told on one page",
		Long:  reportLong,
		Args:  atMost(0),
		Example: `  fount report
  fount report -o docs/report --force
  fount report --from docs/report`,
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.make(cmd) },
	}
	f.dir = "fount-report"
	directory(cmd, &f.dir, "output", "o", "write the page and its files into `DIR` ("+f.dir+")")
	directory(cmd, &f.from, "from", "", "make the page of the files in `DIR` again")
	cmd.Flags().BoolVar(&f.force, "force", false, "write into a directory that holds files already")
	return cmd
}

func (f *reportFlags) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	if changed("from") && (changed("output") || changed("force")) {
		return usagef("--from writes where the files are; use it alone")
	}
	return nil
}

// make measures, unless the files are there, and writes the page.
func (f *reportFlags) make(cmd *cobra.Command) error {
	if f.from != "" {
		return f.page(cmd, f.from)
	}
	switch err := page.Prepare(f.dir, f.force); {
	case errors.Is(err, page.ErrNotEmpty):
		return fmt.Errorf("%s holds files already; name another directory with -o, or use --force to overwrite", f.dir)
	case err != nil:
		return err
	}
	failures, err := f.measure(cmd)
	if err != nil {
		return err
	}
	if err := f.page(cmd, f.dir); err != nil {
		return err
	}
	for _, failure := range failures {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: not measured: %s: %v\n", cmd.CommandPath(), failure.Step, failure.Err)
	}
	if n := len(failures); n > 0 {
		return fmt.Errorf("%d of the commands failed; the page names them", n)
	}
	return nil
}

// measure runs the commands, until somebody interrupts.
func (f *reportFlags) measure(cmd *cobra.Command) ([]page.Failure, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ctx, stop := notifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	line := progressOn(cmd, false)
	defer line.Clear()
	progress := func(name string, done float64, left time.Duration) {
		text := fmt.Sprintf("%3.0f %%, about %.0f min left: %s", 100*done, math.Ceil(left.Minutes()), name)
		if line == nil {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", cmd.CommandPath(), strings.TrimSpace(text))
		}
		line.Show(text)
	}
	failures, err := page.Run(ctx, f.dir, versionLine(), reportRunner(program, os.Args[0]), progress)
	if ctx.Err() == context.Canceled && err != nil {
		return nil, &exitError{statusInterrupted, "interrupted; " + f.dir + " holds what was measured until then"}
	}
	return failures, err
}

// page writes the page, and says where it is.
func (f *reportFlags) page(cmd *cobra.Command, dir string) error {
	if err := page.Make(dir, reportCommand); err != nil {
		return err
	}
	_, err := io.WriteString(cmd.OutOrStdout(), filepath.Join(dir, page.Page)+"\n")
	return err
}

// reportCommands are the arguments of each study.
var reportCommands = map[page.Study][]string{
	page.Doctor: {"doctor"},
	page.Nonce:  {"bench", "nonce"},
	page.Source: {"bench", "source"},
	page.Scale:  {"bench", "scale"},
	page.Tail:   {"bench", "scale", "--tail"},
	page.Files:  {"bench", "files", "--procs", "4"},
	page.Logins: {"load", "password", "-m", "MECHANISM", "--rate", "N"},
}

// reportCommand is what a reader types for a study.
func reportCommand(s page.Study) string { return "fount " + strings.Join(reportCommands[s], " ") }

// reportArgs are the arguments that make a step.
func reportArgs(s page.Step) []string {
	args := slices.Clone(reportCommands[s.Study])
	if s.Study == page.Logins {
		args = []string{"load", "password", "-m", s.Mechanism, "--rate", strconv.FormatFloat(s.Rate, 'g', 4, 64),
			"-d", s.For.String(), "--cut", s.Cut.String()}
	}
	return append(args, "--json")
}

// reportRunner runs each step in a process of the program of that path, under that name.
func reportRunner(path, name string) page.Runner {
	return func(ctx context.Context, s page.Step) ([]byte, error) {
		return runProgram(ctx, path, name, reportArgs(s))
	}
}

// runProgram returns what the program printed. Its error is the first line on its standard error.
func runProgram(ctx context.Context, path, name string, args []string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Args[0] = name
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it may have to unmount
	cmd.WaitDelay = 5 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n"); err != nil && line != "" {
		err = errors.New(line)
	}
	return stdout.Bytes(), err
}
