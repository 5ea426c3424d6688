// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The figures as text.

import (
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"
)

func writeText(w io.Writer, cases []*spread) {
	fmt.Fprintf(w, `# How the retries of %d clients that fail together spread over time.
# Made by: go run ./lab/backoffplot (%s %s/%s). The draws are random: each run differs.
#
# seed          first retry, full jitter, each client on math/rand with the same seed (negative control)
# full          first retry, full jitter, fount/backoff
# decorrelated  second retry, decorrelated jitter, fount/backoff; time counts from a client's second failure
#
# Base is %v, Cap %v. Slots are equal parts of the range that the delay may have. "expected" is the
# clients in the slot for perfect draws: even for full, and by the density for decorrelated, whose second
# delay y (in units of Base) has density ln(8/max(2, y-1))/6 in [1, 9): at most 1.848 times the mean.
# (Counted from the common failure, that retry comes within [2, 12), densest at 4: 2.31 times the mean.)
#
`, clients, runtime.Version(), runtime.GOOS, runtime.GOARCH, base, limit)
	for _, s := range cases {
		fmt.Fprintf(w, "# %-13s fullest slot %d = %.3f times the mean of %.0f", s.name, s.peak(), float64(s.peak())/s.mean(), s.mean())
		if s.allowed != 0 {
			fmt.Fprintf(w, "; allowed %.2f times", s.allowed)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "case\tfrom_ms\tto_ms\tclients\texpected\t")
	for _, s := range cases {
		for i, count := range s.counts {
			from := s.low + time.Duration(i)*s.width()
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.0f\t\n", s.name, from.Milliseconds(), (from + s.width()).Milliseconds(), count, s.expected[i])
		}
	}
	t.Flush()
}
