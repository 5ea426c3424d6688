// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// The bars that fount has set itself, held against what was measured.

import (
	"fmt"
	"time"

	"fount/cmd/fount/internal/screen"
)

// A Check is one bar.
type Check struct {
	Text   string `json:"text"`
	Judged bool   `json:"judged"` // false where other programs had so much of the cores that the clock tells of them
	Held   bool   `json:"held"`
}

const (
	gainBar  = 0.95 // of the number of cores, at least: 1.9 on two
	judgeBar = 0.9  // of the cores' time, at least: below, the clock tells of other programs
	tailBar  = 10 * time.Microsecond
	tailGain = 10.0 // times below the channel's
)

// verdict ends a text.
func verdict(text string, judged, held bool) Check {
	switch {
	case !judged:
		text += "not judged, as other programs had the cores too"
	case held:
		text += "held"
	default:
		text += "missed"
	}
	return Check{text + ".", judged, judged && held}
}

// Checks are what several cores gain, for fount and its Generator, with one mutex beside them.
func (r Result) Checks() (list []Check) {
	if r.Cores < 2 {
		return nil
	}
	least := gainBar * float64(r.Cores)
	for _, mode := range []string{Threads, Processes} {
		for _, name := range []string{"fount", "fount.Generator"} {
			s := r.Find(name, 16, mode)
			if s == nil {
				continue
			}
			p, busy := s.Point(r.Cores), false
			text := fmt.Sprintf("16-byte values, %d %s to one, %s: %s by the clock", r.Cores, mode, name, p.Speedup)
			if p.CPUSpeedup != nil {
				busy = p.Share.Median < judgeBar
				text += fmt.Sprintf(", %s by CPU time; the cores were theirs for %.0f %%", p.CPUSpeedup, 100*p.Share.Median)
			}
			if alone := r.Find(Arithmetic, 16, mode); alone != nil {
				text += fmt.Sprintf("; the cores alone (%s) %s", Arithmetic, alone.Point(r.Cores).Speedup)
			}
			if mutex := r.Find("one mutex", 16, mode); mutex != nil && mode == Threads {
				text += fmt.Sprintf("; one mutex %s", mutex.Point(r.Cores).Speedup)
			}
			list = append(list, verdict(fmt.Sprintf("%s; at least %.2f: ", text, least), !busy, p.Speedup.Median >= least))
		}
	}
	return list
}

// Checks are fount's latency and how far it is below the channel's.
func (r TailResult) Checks() (list []Check) {
	own, channel := r.Find(TailFount), r.Find(TailChannel)
	if own == nil {
		return nil
	}
	judged := own.Share == 0 || own.Share >= judgeBar
	list = append(list, verdict(fmt.Sprintf("p99.99 of a Nonce under full load: %s ns; below %s: ",
		screen.NS(own.P9999NS), screen.NS(float64(tailBar))), judged, own.P9999NS < float64(tailBar)))
	if channel == nil {
		return list
	}
	ratio := channel.P9999NS / own.P9999NS
	return append(list, verdict(fmt.Sprintf("That of the channel: %s ns, %s times as much; at least %.0f times: ",
		screen.NS(channel.P9999NS), screen.Ratio(ratio), tailGain), judged, ratio >= tailGain))
}

// String is the median with its interval: 1.97 (1.95 to 1.98).
func (f *Figure) String() string {
	if f == nil {
		return "-"
	}
	text := screen.Ratio(f.Median)
	if low, high, ok := f.Interval(); ok {
		text += fmt.Sprintf(" (%s to %s)", screen.Ratio(low), screen.Ratio(high))
	}
	return text
}
