// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The studies of fount load password: runs that together show one thing, each run in a process of its own.

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"fount/lab/logins"
	"fount/lab/machine"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

const studyLong = `fount load password %s: %s.

%s-o writes password-%[1]s.txt and password-%[1]s.json into a directory.
Exit status 1 if a condition is not met. --json: machine, and what was measured.`

// studyFlags are the flags of all studies.
type studyFlags struct {
	cost     int
	duration time.Duration
	dir      string
	json     bool

	run logins.Runner // nil: a process for each run
}

// A studyReport is what a study found, as JSON and for people.
type studyReport struct {
	machine.Facts `json:"machine"`
	Measured      any `json:"measured"`

	name    string
	command string // the name, and the flags that are not as usual
	title   string
	lines   []logins.Condition
	table   show.Table
	notes   []string
}

// newStudies are the commands below fount load password.
func newStudies() (cmds []*cobra.Command) {
	for _, plan := range logins.Plans {
		cmds = append(cmds, newStudy(plan.Name, plan.About, plan.Duration.String(), planStudy(plan)))
	}
	cmds = append(cmds,
		newStudy("memory", "1,000 callers of argon2id with 64 MiB each in a budget of 192 MiB", "", memoryStudy),
		newStudy("unknown", "the time of an unknown user against that of a known one", "", unknownStudy))
	return append(cmds, newAllStudies(cmds))
}

// A study makes a report.
type study func(ctx context.Context, f *studyFlags, line *show.Progress) (*studyReport, error)

// newStudy is the command of one study. usual is how long its runs last, "" if that can't be chosen.
func newStudy(name, about, usual string, s study) *cobra.Command {
	f := new(studyFlags)
	more := ""
	if usual != "" {
		more = "Each run is a process of its own, as a compare can't be stopped and would disturb the next.\n" +
			"-d is the time of the runs; some are a part of it.\n"
	}
	cmd := &cobra.Command{
		Use:     name + " [-o DIR] [--json]",
		Short:   about,
		Long:    fmt.Sprintf(studyLong, name, about, more),
		Example: "  fount load password " + name + " -o docs/results",
		Args:    atMost(0),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.make(cmd, s) },
	}
	f.addTo(cmd, usual)
	return cmd
}

func (f *studyFlags) addTo(cmd *cobra.Command, usual string) {
	f.cost = 10
	flags := cmd.Flags()
	if usual != "" {
		number(flags, &f.cost, "cost", "", "`N` of bcrypt (10)", 4, 16,
			"cost of bcrypt; use for example 10")
		timeFlag(flags, &f.duration, "duration", "d", "`TIME` of its runs ("+usual+")", time.Hour)
	}
	flags.StringVarP(&f.dir, "output", "o", "", "write a text and a JSON file into `DIR` too")
	flags.BoolVar(&f.json, "json", false, "print one JSON object, and no progress")
	if err := cmd.MarkFlagDirname("output"); err != nil {
		panic(err) // the flag is defined above
	}
}

// check finds what can't be measured or written, before anything is measured.
func (f *studyFlags) check(cmd *cobra.Command) error {
	if cmd.Flags().Changed("duration") && f.duration == 0 {
		return usagef("-d is 0s, in which nothing runs; use for example 5s")
	}
	if !cmd.Flags().Changed("output") {
		return nil
	}
	if f.dir == "" {
		return usagef("-o has an empty directory name; use . for this one")
	}
	if info, err := os.Stat(f.dir); err != nil || !info.IsDir() {
		return &exitError{statusFailed, f.dir + " is no directory; make it first"}
	}
	return nil
}

// make makes the study, prints it, and writes its files.
func (f *studyFlags) make(cmd *cobra.Command, s study) error {
	line := progressOn(cmd, f.json)
	r, err := s(cmd.Context(), f, line)
	line.Clear()
	if err != nil {
		return err
	}
	r.Facts, r.command = machine.Inspect(), f.command(r.name)
	out := cmd.OutOrStdout()
	if f.json {
		err = printJSON(out, r)
	} else {
		_, err = io.WriteString(out, studyText(r, show.StyleOf(out, runtime.GOOS, os.Getenv)))
	}
	if err = errors.Join(err, f.write(r)); err != nil {
		return err
	}
	missed := slices.DeleteFunc(slices.Clone(r.lines), func(c logins.Condition) bool { return c.Met })
	if len(missed) > 0 {
		return fmt.Errorf("%d of %d conditions not met, the first: %v", len(missed), len(r.lines), missed[0])
	}
	return nil
}

// command is the study with the flags that are not as usual.
func (f *studyFlags) command(name string) string {
	if f.cost != 10 {
		name += fmt.Sprintf(" --cost %d", f.cost)
	}
	if f.duration != 0 {
		name += fmt.Sprintf(" -d %v", f.duration)
	}
	return name
}

// write writes the files.
func (f *studyFlags) write(r *studyReport) error {
	if f.dir == "" {
		return nil
	}
	var object bytes.Buffer
	if err := printJSON(&object, r); err != nil {
		return err
	}
	base := filepath.Join(f.dir, "password-"+r.name)
	text := studyText(r, show.Style{Width: 118})
	return errors.Join(
		os.WriteFile(base+".txt", []byte(text), 0o666),
		os.WriteFile(base+".json", object.Bytes(), 0o666),
		r.writePlot(base+".svg"))
}

// writePlot draws a study that has a plot.
func (r *studyReport) writePlot(path string) error {
	made, ok := r.Measured.(*logins.Study)
	if !ok {
		return nil
	}
	svg, err := made.SVG(r.Facts)
	if errors.Is(err, logins.ErrNoSweep) {
		return nil
	}
	return errors.Join(err, os.WriteFile(path, svg, 0o666))
}

// leastOfStudy are the columns of a study's table that a narrow screen loses, the first named first.
var leastOfStudy = []string{"RSS", "cores", "late", "p50", "endpoint", "w", "finished/s", "heartbeat"}

// studyText is the study for people: how it was made, the table, and the conditions.
func studyText(r *studyReport, s show.Style) string {
	text := show.Paragraph(show.Sentence(r.title), s.Width, "", "")
	made := fmt.Sprintf("Made by: go run ./cmd/fount load password %s -o docs/results (%s %s/%s, GOMAXPROCS %d, %s). "+
		"Each run differs.", r.command, r.GoVersion, runtime.GOOS, runtime.GOARCH, r.GOMAXPROCS, r.CPU)
	text += show.Paragraph(made, s.Width, "", "")
	if len(r.table.Rows) > 0 {
		fit := r.table.Fit(s.Width-len(indent), leastOfStudy...)
		text += "\n" + fit.String(indent)
	}
	for _, note := range r.notes {
		text += "\n" + show.Paragraph(note, s.Width, indent, indent)
	}
	if len(r.lines) > 0 {
		text += "\nConditions\n"
	}
	for _, c := range r.lines {
		text += show.Paragraph(c.String(), s.Width, indent, indent+indent)
	}
	return text
}

// planStudy makes a study of runs.
func planStudy(plan logins.Plan) study {
	return func(ctx context.Context, f *studyFlags, line *show.Progress) (*studyReport, error) {
		run := f.run
		if run == nil {
			run = runChild
		}
		named := func(ctx context.Context, c logins.Config) (logins.Report, error) {
			r, err := run(ctx, c)
			if r.Command = loadCommand(c); err != nil {
				err = fmt.Errorf("%s: %w", r.Command, err)
			}
			return r, err
		}
		made, err := plan.Make(ctx, logins.Terms{Cost: f.cost, Duration: f.duration, Run: named,
			Next: func(n, of int, c logins.Config) {
				line.Show(fmt.Sprintf("run %d of %d, %v: %s", n+1, of, c.Duration, c.Mechanism))
			}})
		if err != nil {
			return nil, err
		}
		return &studyReport{Measured: made, name: made.Name, title: made.Title, lines: made.Conditions,
			table: studyTable(made), notes: studyNotes(made)}, nil
	}
}

// studyTable has a row for each run.
func studyTable(s *logins.Study) show.Table {
	t := show.Table{Head: []string{"", "calls", "w", "s", "compares", "finished/s", "goodput/s", "refused", "late",
		"p50", "p99", "heartbeat", "endpoint", "cores", "RSS"}}
	for _, r := range s.Runs {
		calls := fmt.Sprint(r.Config.Callers)
		if r.Config.Open() {
			calls = show.PerSecond(r.Config.Rate) + "/s"
		}
		name, workers, finished := r.Config.Mechanism, "-", "-"
		if r.Config.Engine != "" {
			name += ", " + r.Config.Engine
		}
		if r.Config.HangUp {
			name += ", hang up"
		}
		if r.Finished != nil {
			finished = show.PerSecond(*r.Finished)
		}
		if r.Config.Workers > 0 {
			workers = fmt.Sprint(r.Config.Workers)
		}
		t.Rows = append(t.Rows, []string{
			name, calls, workers, show.PerSecond(r.Seconds), fmt.Sprint(r.Compares), finished,
			show.PerSecond(r.Goodput), share(r.Refused, r.Submitted), share(r.Submitted-r.Refused-r.Good, r.Submitted),
			quantile(r.Latency, p50), quantile(r.Latency, p99), quantile(r.Heartbeat, p99), quantile(r.Endpoint, p99),
			fmt.Sprintf("%.2f", r.Cores), formatSize(float64(r.Memory.Peak)),
		})
	}
	return t
}

func p50(s *logins.Summary) *float64 { return s.P50 }
func p99(s *logins.Summary) *float64 { return s.P99 }

func quantile(s *logins.Summary, of func(*logins.Summary) *float64) string {
	if s == nil {
		return "-"
	}
	return millis(of(s))
}

func share(n, of int64) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(n)/float64(of))
}

const studyLegend = `calls: callers of a closed loop, or requests per second of an open one. w: workers or places, - for
GOMAXPROCS or no limit. s: seconds counted. compares: answered with a match in that time. finished/s: of a closed
loop, all compares of the run by the time until the last had ended; of an open one, those that ended, - if goroutines
without a bound had some under way. goodput/s: those answered within %v. late: neither refused nor answered in time, unanswered at the end included.
p50, p99: latency in ms of what was not refused. heartbeat, endpoint: p99 in ms of how late a 1 ms tick and an
HTTP answer were. cores: CPU time by elapsed time. RSS: peak.`

// studyNotes explain the table.
func studyNotes(s *logins.Study) []string {
	deadline := logins.Post().Deadline
	notes := []string{fmt.Sprintf(studyLegend, deadline)}
	for _, c := range s.Capacity {
		notes = append(notes, fmt.Sprintf("capacity of %s: %s/s, %.2f cores used (%s)",
			c.Mechanism, show.PerSecond(c.PerSecond), c.Cores, c.Command))
	}
	return notes
}

// runChild makes one run in a process of this program.
func runChild(ctx context.Context, c logins.Config) (r logins.Report, err error) {
	program, err := os.Executable()
	if err != nil {
		return r, err
	}
	config, err := json.Marshal(c)
	if err != nil {
		return r, err
	}
	var stdout, stderr bytes.Buffer
	child := exec.CommandContext(ctx, program, "load", "password", "run")
	child.Args[0] = os.Args[0]
	child.Stdin, child.Stdout, child.Stderr = bytes.NewReader(config), &stdout, &stderr
	if err := child.Run(); err != nil {
		if said := strings.TrimSpace(stderr.String()); said != "" {
			err = errors.New(said)
		}
		return r, err
	}
	return r, json.Unmarshal(stdout.Bytes(), &r)
}

// newAllStudies is the command that makes all.
func newAllStudies(studies []*cobra.Command) *cobra.Command {
	f := new(studyFlags)
	var names []string
	for _, s := range studies {
		names = append(names, s.Name())
	}
	cmd := &cobra.Command{
		Use:   "all -o DIR",
		Short: "all of these, one after the other: half an hour",
		Long: "fount load password all: " + strings.Join(names, ", ") + ", one after the other.\n\n" +
			"They take half an hour and want the machine to themselves. A study whose conditions are not met does\n" +
			"not keep the others from being made; the exit status is 1 then.",
		Example: "  fount load password all -o docs/results",
		Args:    atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.dir == "" {
				return usagef("the directory of the results is missing; use for example -o docs/results")
			}
			return makeAll(cmd, f.dir, names)
		},
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
	}
	cmd.Flags().StringVarP(&f.dir, "output", "o", "", "write the text and JSON files into `DIR`")
	if err := cmd.MarkFlagDirname("output"); err != nil {
		panic(err) // the flag is defined above
	}
	return cmd
}

// makeAll makes each study in a process of its own: the memory of one is not another's.
func makeAll(cmd *cobra.Command, dir string, names []string) (failed error) {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	for _, name := range names {
		child := exec.CommandContext(cmd.Context(), program, "load", "password", name, "-o", dir)
		child.Args[0] = os.Args[0]
		child.Stdout, child.Stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
		if err := child.Run(); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", name, err))
		}
	}
	if failed != nil {
		return errors.New(strings.ReplaceAll(failed.Error(), "\n", "; "))
	}
	return nil
}
