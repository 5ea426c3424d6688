// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount entropy: the sources of randomness. Its command list shows each, how much of it counts, and how fast it is.

package cli

import (
	"fmt"
	"strconv"
	"time"

	"fount/entropy"
	"fount/lab/measure"
	"fount/lab/show"

	"github.com/spf13/cobra"
)

func newEntropy() *cobra.Command {
	return parent(&cobra.Command{
		Use:   "entropy list|sample",
		Short: "the sources of randomness: what counts, health, speed, samples",
		Example: `  fount entropy list
  fount entropy sample jitter 1000000 > raw.bin`,
	}, "command", newEntropyList(), newEntropySample())
}

const entropyListLong = `fount entropy list: every source of randomness, in the order in which they are asked.

credit  bits of entropy counted for each byte. The kernel's is 8; the others are mixed in and count for nothing
health  ok, absent, cut off (a source that fails a test is not asked again by this process), or unknown (it gave
        nothing). The seed file and the caller's bytes are a program's own; this one has none
B/s     bytes a second, 64 at a time, the median of 5 turns of 10 ms

Health is of this run, which starts the sources and tests at least 1,024 samples of jitter. A source that passes a
test varies; that does not show that it can't be predicted. A source that is cut off does not change the exit status.`

// sourceRow is a source in the report. Names of fields stay; fields may be added.
type sourceRow struct {
	entropy.SourceStatus
	NSPerByte      float64 `json:"ns_per_byte"`      // elapsed; 0 if it gave nothing
	BytesPerSecond float64 `json:"bytes_per_second"` // 0 likewise
}

// A sourceList is what --json prints.
type sourceList struct {
	Sources []sourceRow `json:"sources"`
}

func newEntropyList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [--json]",
		Short: "every source: what counts of it, health, bytes a second",
		Long:  entropyListLong,
		Args:  atMost(0),
		Example: `  fount entropy list
  fount entropy list --json | jq '.sources[] | select(.healthy) | .name'`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			rows := sourceRows(entropy.List(), entropy.Draw, 10*time.Millisecond)
			for i, st := range entropy.List() {
				rows[i].SourceStatus = st // as it is after the measurement
			}
			text := func(s show.Style) string { return sourcesText(rows, s) }
			return printResult(cmd, asJSON, sourceList{rows}, text)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// sourceRows measures each source.
func sourceRows(list []entropy.SourceStatus, draw func(string, []byte) (int, error), turn time.Duration) []sourceRow {
	rows := make([]sourceRow, len(list))
	for i, st := range list {
		rows[i].SourceStatus = st
		if ns := nsPerByte(func(b []byte) (int, error) { return draw(st.Name, b) }, turn); ns > 0 {
			rows[i].NSPerByte, rows[i].BytesPerSecond = ns, 1e9/ns
		}
	}
	return rows
}

// nsPerByte is the median of 5 turns, 0 if draw failed or gave nothing in one of them. The first draw, which starts the
// source, does not count.
func nsPerByte(draw func([]byte) (int, error), turn time.Duration) float64 {
	const turns = 5
	var b [64]byte // what one SHA-512 of jitter makes; the kernel is asked for 32 at a reseed
	if _, err := draw(b[:]); err != nil {
		return 0
	}
	var costs []float64
	for range turns {
		start := time.Now()
		bytes, elapsed := 0, time.Duration(0)
		for elapsed < turn {
			n, err := draw(b[:])
			if err != nil {
				return 0
			}
			bytes += n
			elapsed = time.Since(start)
		}
		if bytes == 0 {
			return 0
		}
		costs = append(costs, float64(elapsed)/float64(bytes))
	}
	return measure.Median(costs)
}

// sourcesText is the table, and below it why sources are not healthy.
func sourcesText(rows []sourceRow, s show.Style) string {
	t := show.Table{Head: []string{"source", "credit", "B/s", "ns/B", "health"}, Last: true}
	notes := ""
	for _, r := range rows {
		perSecond, perByte := "-", "-"
		if r.NSPerByte > 0 {
			perSecond, perByte = show.Rate(r.BytesPerSecond), show.NS(r.NSPerByte)
		}
		t.Rows = append(t.Rows, []string{r.Name, strconv.Itoa(r.Credit), perSecond, perByte, healthWord(r.SourceStatus)})
		if r.Why != "" {
			notes += show.Paragraph(fmt.Sprintf("%s: %s.", r.Name, r.Why), s.Width, "", show.Indent)
		}
	}
	return t.String("") + "\n" + notes +
		show.Paragraph("Credit is in bits a byte. Only the kernel counts.", s.Width, "", show.Indent)
}

// healthWord is the health in a word or two.
func healthWord(st entropy.SourceStatus) string {
	switch {
	case !st.Available:
		return "absent"
	case st.CutOff:
		return "cut off"
	case !st.Healthy:
		return "unknown"
	}
	return "ok"
}
