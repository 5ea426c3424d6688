// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package recovery

// The study as text and as a picture.

import (
	"fmt"
	"strings"

	"fount/lab/show"
)

// Text is a table of all runs, and what its columns mean.
func (s Study) Text(style show.Style) string {
	var b strings.Builder
	t := show.Table{Head: []string{"service", "delays", "capacity/s", "clients", "attempts", "each", "wasted", "given up", "peak", "recovered"}}
	for _, r := range s.Runs {
		t.Rows = append(t.Rows, r.row())
	}
	b.WriteString(swap(t).Fit(style.Width, "capacity/s", "clients", "given up").String(""))
	c := s.Runs[0].Config
	b.WriteString("\n" + show.Paragraph(fmt.Sprintf("Logins arrive at %[1]g of the service's own capacity, for %[2]v at %[3]g times it, and then at %[1]g again. "+
		"An attempt ends after %[4]v. each: attempts of a login. wasted: attempts that were hashed, or part of that, for a client that had left. "+
		"given up: clients without an answer when the run ended. peak: most attempts in 100 ms after the overload, in multiples of the usual rate. "+
		"recovered: seconds from the end of the overload to the last new client whose first attempt failed; > if some failed in the last %[5]v of the run. "+
		"What the overload leaves undone takes %.0[6]f s more at least; new logins may work before that.",
		c.Usual, c.During, c.Over, c.Timeout, c.quiet(), c.least().Seconds()), style.Width, "", ""))
	return b.String()
}

// swap makes the first two columns one, as a table aligns only its first to the left.
func swap(t show.Table) show.Table {
	join := func(row []string, wide int) []string {
		return append([]string{fmt.Sprintf("%-*s  %s", wide, row[0], row[1])}, row[2:]...)
	}
	wide := len(t.Head[0])
	for _, row := range t.Rows {
		wide = max(wide, len(row[0]))
	}
	t.Head = join(t.Head, wide)
	for i, row := range t.Rows {
		t.Rows[i] = join(row, wide)
	}
	return t
}

// recovered is the time to recovery.
func (r Result) recovered() string {
	if r.Recovery == nil {
		return fmt.Sprintf(">%.0f s", (r.After - r.quiet()).Seconds())
	}
	return fmt.Sprintf("%.1f s", *r.Recovery)
}

func (r Result) row() []string {
	return []string{r.Service, r.Config.policy(), show.Ratio(r.Capacity), show.Count(int64(r.Clients)), show.Count(int64(r.Attempts)),
		show.Ratio(float64(r.Attempts) / float64(max(1, r.Clients))), show.Count(int64(r.Wasted)), show.Count(int64(r.GaveUp)), show.Ratio(r.Peak), r.recovered()}
}
