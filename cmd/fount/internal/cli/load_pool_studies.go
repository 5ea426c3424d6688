// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The studies of the pool that are no load: memory, and the time of unknown users.

package cli

import (
	"context"
	"fmt"

	"fount/lab/logins"
	"fount/lab/show"
)

func memoryStudy(ctx context.Context, _ *studyFlags, line *show.Progress) (*studyReport, error) {
	terms := logins.DefaultMemory()
	r, err := terms.Measure(ctx, func(done int) {
		line.Show(fmt.Sprintf("%d of %d callers have their answers", done, terms.Callers))
	})
	if err != nil {
		return nil, err
	}
	note := fmt.Sprintf("%d callers of %s at once, %d workers, a budget of %s: %d answered in %.1f s, "+
		"at most %d at work (looked at each 5 ms), holding %s. Resident memory %s before, %s at its peak.", r.Callers,
		r.Policy, r.Workers,
		formatSize(float64(r.Budget)), r.Matched, r.Seconds, r.MostInFlight, formatSize(float64(r.MostHeld)),
		formatSize(float64(r.Memory.Base)), formatSize(float64(r.Memory.Peak)))
	title := "1,000 callers of argon2id with 64 MiB each in a budget of 192 MiB"
	return &studyReport{Measured: r, name: "memory", title: title, lines: r.Conditions, notes: []string{note}}, nil
}

const unknownLegend = `Wrong passwords at bcrypt cost %d, one after the other through the pool; one takes %s µs at the
median. A difference is that of two calls made one after the other, in an order that is drawn. The interval of the
median holds whatever the distribution. effect: mean by standard deviation of a difference. longer: part of the
pairs in which the first took longer; 50%% is no difference.`

func unknownStudy(ctx context.Context, _ *studyFlags, line *show.Progress) (*studyReport, error) {
	r, err := logins.DefaultUnknown().Measure(ctx, func(done, of int) {
		line.Show(fmt.Sprintf("%d of %d pairs of calls", done, of))
	})
	if err != nil {
		return nil, err
	}
	t := show.Table{Head: []string{
		"µs", "pairs", "median", "99 % from", "to", "mean", "99 % from", "to", "effect", "longer",
	}}
	for _, row := range []struct {
		name string
		of   logins.Comparison
	}{
		{"unknown - known", r.Unknown}, {"known - known", r.Same}, {fmt.Sprintf("cost %d - known", r.Cost+1), r.Other},
	} {
		t.Rows = append(t.Rows, []string{row.name, fmt.Sprint(row.of.Pairs), micros(row.of.Median), micros(row.of.Low),
			micros(row.of.High), micros(row.of.Mean), micros(row.of.MeanLow), micros(row.of.MeanHigh),
			fmt.Sprintf("%.3f", row.of.Effect), fmt.Sprintf("%.1f%%", 100*row.of.Longer)})
	}
	note := fmt.Sprintf(unknownLegend, r.Cost, micros(r.HashNS))
	return &studyReport{Measured: r, name: "unknown", title: "the time of an unknown user against that of a known one",
		lines: r.Conditions, table: t, notes: []string{note}}, nil
}

func micros(ns float64) string { return fmt.Sprintf("%.2f", ns/1000) }
