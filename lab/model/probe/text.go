// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package probe

// The report for people.

import (
	"fmt"
	"runtime"

	"fount/lab/show"
)

const about = `%s, %s %s/%s. Measured on this machine and modelled beside it. Measured first: one cache line's way from one core to the
other %s ns, the same with the %d lines of a generator that a nonce writes %s ns, and a draw of one thread alone. From
those the model, a FIFO lock, predicts the time that two threads together take for a draw. No parameter is fitted.`

const legend = `Medians of %d windows, or fewer where other programs disturbed some; in brackets the middle half of the windows. %s Times in ns for each draw; alone and
work: of one thread. The ticket lock spins and is the one modelled. Go's sync.Mutex is neither a ticket nor an MCS lock:
a thread that releases it may take it again before the other has woken up (barging), and one that waits is put to sleep. Then
the lock stays on one core, no line moves, and a FIFO model says too much; its rows show by how much.`

// Text is the report for a screen of that style.
func (r Report) Text(s show.Style) string {
	const indent = "  "
	t := show.Table{Head: []string{"lock", "guards", "work", "alone", "two, measured", "two, modelled", "error"}}
	for _, c := range r.Cases {
		t.Rows = append(t.Rows, []string{c.Lock, c.Guard, show.NS(c.Work), show.NS(c.Alone.Median), c.Two.String(),
			show.NS(c.Model), fmt.Sprintf("%+.0f %%", 100*c.Error)})
	}
	pinned := "Each thread has a CPU of its own."
	if !r.Pinned {
		pinned = "The threads are not pinned to CPUs: this system has no way to, or it was refused."
	}
	fit := t.Fit(s.Width-len(indent), "alone")
	head := show.Paragraph(fmt.Sprintf(about, r.Machine.CPU, r.Machine.GoVersion, runtime.GOOS, runtime.GOARCH,
		r.Line, stateLines, r.State), s.Width, "", "")
	foot := show.Paragraph(fmt.Sprintf(legend, r.Windows, pinned), s.Width, "", "")
	return head + "\n" + fit.String(indent) + "\n" + foot
}

// String is the median and the middle half.
func (s Spread) String() string {
	return fmt.Sprintf("%s (%s to %s)", show.NS(s.Median), show.NS(s.Low), show.NS(s.High))
}
