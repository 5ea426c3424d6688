// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount seed status: inspect a seed file without using it.

package cli

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"fount/lab/show"
	"fount/pool"

	"github.com/spf13/cobra"
)

const seedStatusLong = `fount seed status FILE says whether load would use the file, for how many NUMA nodes it was
written, when, and whether it was copied or restored since. It changes and uses nothing. Exit status 1 and the
reason if the file is missing or would be refused: others can read or replace it, or it is cut off, damaged, a
link, a directory or not a seed file. A copy is used with a warning, so its exit status is 0. --json: path, state
(read or failed), nodes, saved, age_seconds, copied, credit, note.`

// seedReport is what --json prints.
type seedReport struct {
	pool.SeedFileReport
	AgeSeconds int64 `json:"age_seconds"` // below 0: the file was saved in the future
}

func newSeedStatus() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status FILE [--json]",
		Short: "say what a seed file is, and whether it would be used",
		Long:  seedStatusLong,
		Example: `  fount seed status /var/lib/fount/seed
  fount seed status --json /var/lib/fount/seed | jq .age_seconds`,
		Args:              seedFile,
		ValidArgsFunction: completeFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, refused := pool.Inspect(args[0])
			if refused != nil && !asJSON {
				return refused
			}
			report := newSeedReport(r, time.Now())
			return cmp.Or(printResult(cmd, asJSON, report, report.text), refused)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func newSeedReport(r pool.SeedFileReport, now time.Time) seedReport {
	report := seedReport{SeedFileReport: r}
	if !r.Saved.IsZero() {
		report.AgeSeconds = now.Unix() - r.Saved.Unix()
	}
	return report
}

// text is a line for each thing there is to say.
func (r seedReport) text(s show.Style) string {
	var b strings.Builder
	line := func(name, value string) { b.WriteString(show.Row(name, value, 7, s.Width)) }
	line("file", r.Path)
	state := "whole, and its user's alone"
	if r.Copied {
		state += "; " + r.Note
	}
	line("state", state)
	line("nodes", fmt.Sprint(r.Nodes))
	line("saved", savedText(r.Saved)+", "+ageText(r.AgeSeconds))
	return b.String()
}

func savedText(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// ageText is an age in the largest unit of which there are at least two.
func ageText(seconds int64) string {
	switch {
	case seconds < 0:
		return "which is in the future: a clock is wrong"
	case seconds < 2*60:
		return fmt.Sprint(seconds, " s ago")
	case seconds < 2*3600:
		return fmt.Sprint(seconds/60, " min ago")
	case seconds < 2*86400:
		return fmt.Sprint(seconds/3600, " h ago")
	}
	return fmt.Sprint(seconds/86400, " days ago")
}
