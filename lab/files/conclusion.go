// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The figures in sentences.

import (
	"fmt"

	"fount/lab/show"
)

// conclude says what was compared, and what it does not show.
func (r *Result) conclude() (sentences []string) {
	say := func(format string, args ...any) { sentences = append(sentences, fmt.Sprintf(format, args...)) }
	if slow, fast := r.source(Emulated), r.source(NineP); r.Ratio != nil {
		least := ""
		if r.Ratio.AtLeast {
			least = "at least "
		}
		say("Half of the processes have their %d bytes from the emulated device after %s, and behind fount's 9P server "+
			"after %v: the start-up delay is %s%s times as long.", r.Bytes, slow.Delay.Median.words(), fast.Delay.Median,
			least, show.Ratio(r.Ratio.Value))
		say("Before that the server starts, once a machine and not once a process: it took %v, as it reads %d bytes from "+
			"the device first.", Time{MS: fast.StartS * 1e3}, seedSize)
	}
	if slow := r.source(Emulated); slow != nil && slow.Late > 0 {
		say("%d of %d processes at the device were late: they did not have their bytes after %s and were stopped. They count "+
			"as having waited that long.", slow.Late, slow.Processes, Time{MS: r.LimitS * 1e3})
	}
	for _, s := range r.Sources {
		if s.Failed > 0 {
			say("%d of %d processes at %s failed and do not count: %s.", s.Failed, s.Processes, s.Name, s.Failures[0])
		}
	}
	if r.source(Emulated) != nil || r.source(NineP) != nil {
		say("Only the time that a Plan 9 device takes is emulated, not its bytes, and not the rest of the machine.")
	}
	return sentences
}
