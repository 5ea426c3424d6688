// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package page

// The studies of a report.

import (
	"fmt"
	"math"
	"time"

	"fount/lab/logins"
)

// A Study is one of the measurements of a report.
type Study string

// The studies.
const (
	Doctor Study = "doctor"
	Nonce  Study = "nonce"
	Source Study = "source"
	Scale  Study = "scale"
	Tail   Study = "tail"
	Files  Study = "files"
	Logins Study = "logins"
)

// A Step is one run of a study, and the file that its result goes to.
type Step struct {
	Name  string // as the page and the progress name it
	Study Study
	File  string
	Time  time.Duration // that it takes about, for the progress

	// For Logins alone: the mechanism, the logins asked for a second, how long, and how much of that does not count.
	Mechanism string
	Rate      float64
	For, Cut  time.Duration
}

// The files. The page reads those that end in .json.
const (
	doctorFile = "doctor.json"
	nonceFile  = "nonce.json"
	sourceFile = "source.json"
	scaleFile  = "scale.json"
	tailFile   = "tail.json"
	filesFile  = "files.json"
	loginsFile = "logins-%s-%s.json" // mechanism and multiple of the capacity
	madeFile   = "report.json"
)

// names are those of all files but the page.
func names() (list []string) {
	for _, s := range append(machineSteps(), loginSteps(1)...) {
		list = append(list, s.File)
	}
	return append(list, madeFile)
}

// machineSteps are those that need nothing of each other.
func machineSteps() []Step {
	return []Step{
		{Name: "what this machine has", Study: Doctor, File: doctorFile, Time: 13 * time.Second},
		{Name: "the seven methods", Study: Nonce, File: nonceFile, Time: 30 * time.Second},
		{Name: "a tale of two rands", Study: Source, File: sourceFile, Time: 8 * time.Second},
		{Name: "scaling", Study: Scale, File: scaleFile, Time: 50 * time.Second},
		{Name: "draws that take long", Study: Tail, File: tailFile, Time: 31 * time.Second},
		{Name: "random files", Study: Files, File: filesFile, Time: 30 * time.Second},
	}
}

// loginTime is how long each run of logins lasts, of which the first second does not count.
const loginTime = 5 * time.Second

// The mechanisms that are compared, and the load, in multiples of what this machine bears.
var (
	mechanisms = []string{logins.MaxOut, logins.Semaphore, logins.PoolLanes}
	multiples  = []float64{0.5, 1, 2, 4}
)

// loginSteps ask for logins at multiples of capacity, compares a second.
func loginSteps(capacity float64) (steps []Step) {
	for _, m := range mechanisms {
		for _, x := range multiples {
			steps = append(steps, Step{
				Name:  fmt.Sprintf("logins at %s of what this machine bears, %s", times(x), m),
				File:  fmt.Sprintf(loginsFile, m, trim(x)),
				Study: Logins, Mechanism: m, Rate: math.Max(0.1, x*capacity), For: loginTime, Cut: time.Second,
				Time: loginTime + time.Second,
			})
		}
	}
	return steps
}

// trim writes a number with at most four digits, as flags and file names want it.
func trim(v float64) string { return fmt.Sprintf("%.4g", v) }

func times(v float64) string { return trim(v) + "x" }
