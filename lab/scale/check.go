// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package scale

// What may be said of the figures, by package judge.

import (
	"fmt"

	"fount/internal/judge"
	"fount/lab/measure"
)

// A Check is one verdict. The verdicts of a result are one family.
type Check struct {
	Method  string `json:"method"`
	Mode    string `json:"mode,omitempty"` // Threads or Processes
	Text    string `json:"text"`
	Verdict string `json:"verdict"`
	Judged  bool   `json:"judged"` // the verdict is neither NotJudged nor Undecided
	Held    bool   `json:"held"`   // it is Held
}

// The verdicts. A bar is Held where the figure is above it for sure, and Missed where it is below it for sure. Of stalls
// there are Fewer or More, for sure.
const (
	Held      = "held"
	Missed    = "missed"
	Fewer     = "fewer"
	More      = "more"
	Undecided = "undecided"
	NotJudged = "not judged" // other programs had so much of the cores that the clock tells of them
)

const gainBar = 0.95 // of the number of cores, at least: 1.9 on two

// newCheck is a check of that verdict.
func newCheck(method, mode, text, verdict string) Check {
	return Check{method, mode, text, verdict, verdict != Undecided && verdict != NotJudged, verdict == Held}
}

// Gain is how many times as much all cores draw as one, by the clock. It is nil if it was not measured, and if it can't be
// judged: see [Result.Busy].
func (r Result) Gain(method string, size int, mode string) *measure.Sample {
	s := r.Find(method, size, mode)
	if s == nil || s.Point(r.Cores) == nil || r.Cores < 2 {
		return nil
	}
	if _, busy := r.Busy(mode); busy {
		return nil
	}
	return s.Point(r.Cores).Speedup
}

// Busy reports whether other programs had so much of the cores that what the clock says of a mode can't be judged, and
// the share that was left. What never waits tells: the method that had most, with its least share of any number of threads.
func (r Result) Busy(mode string) (share float64, busy bool) {
	known := false
	for _, s := range r.Series {
		if s.Mode != mode || s.Error != "" {
			continue
		}
		least := 1.0
		for _, p := range s.Points {
			if p.Share == nil {
				return 0, false
			}
			least = min(least, p.Share.Median)
		}
		share, known = max(share, least), known || len(s.Points) > 0
	}
	return share, known && share < measure.QuietShare
}

// judgedMethods are those whose gain has a bar.
var judgedMethods = []string{"fount"}

// wide reports whether a gain that is judged differs more from run to run than from round to round.
func (r Result) wide() bool {
	if r.Cores < 2 || r.Runs < 2 {
		return false
	}
	perRun := (r.Rounds + r.Runs - 1) / r.Runs
	for _, mode := range []string{Threads, Processes} {
		for _, name := range judgedMethods {
			if s := r.Find(name, 16, mode); s != nil && judge.Every(s.Point(r.Cores).Speedup.Values, perRun).Wide() {
				return true
			}
		}
	}
	return false
}

// Checks are what several cores gain, for fount, with one mutex beside them.
func (r Result) Checks() (list []Check) {
	if r.Cores < 2 {
		return nil
	}
	least := gainBar * float64(r.Cores)
	var family judge.Family
	verdicts := map[*measure.Sample]*judge.Verdict{}
	each := func(do func(name, mode string, gain *measure.Sample)) {
		for _, mode := range []string{Threads, Processes} {
			for _, name := range judgedMethods {
				if r.Find(name, 16, mode) != nil {
					do(name, mode, r.Gain(name, 16, mode))
				}
			}
		}
	}
	each(func(_, _ string, gain *measure.Sample) {
		if gain != nil {
			verdicts[gain] = family.Add(gain.Estimate(), least)
		}
	})
	family.Decide()
	each(func(name, mode string, gain *measure.Sample) {
		text := fmt.Sprintf("16-byte values, %d %s to one, %s: ", r.Cores, mode, name)
		if gain == nil {
			share, _ := r.Busy(mode)
			text += fmt.Sprintf("not judged, as other programs had the cores too: %.0f%% of their time was left.", 100*share)
			list = append(list, newCheck(name, mode, text, NotJudged))
			return
		}
		text += gain.Ratio() + " by the clock"
		if alone := r.Gain(Arithmetic, 16, mode); alone != nil {
			text += fmt.Sprintf("; the cores alone (%s) %s", Arithmetic, alone.Ratio())
		}
		if mutex := r.Gain("one mutex", 16, mode); mutex != nil && mode == Threads {
			text += fmt.Sprintf("; one mutex %s", mutex.Ratio())
		}
		v := Undecided
		switch {
		case verdicts[gain].Above():
			v = Held
		case verdicts[gain].Below():
			v = Missed
		}
		list = append(list, newCheck(name, mode, fmt.Sprintf("%s; at least %.2f: %s.", text, least, v), v))
	})
	return list
}
