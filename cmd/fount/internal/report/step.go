// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package report

// The commands of a report.

import (
	"fmt"
	"math"
	"time"

	"fount/lab/logins"
)

// A Step is one command, and the file that its standard output goes to.
type Step struct {
	Name string // as the page and the progress name it
	File string
	Args []string      // of the program
	Time time.Duration // that it takes about, for the progress
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
		{"what this machine has", doctorFile, []string{"doctor", "--json"}, 13 * time.Second},
		{"the seven methods", nonceFile, []string{"bench", "nonce", "--json"}, 15 * time.Second},
		{"a tale of two rands", sourceFile, []string{"bench", "source", "--json"}, 8 * time.Second},
		{"scaling", scaleFile, []string{"bench", "scale", "--json"}, 50 * time.Second},
		{"draws that take long", tailFile, []string{"bench", "scale", "--tail", "--json"}, 31 * time.Second},
		{"random files", filesFile, []string{"bench", "files", "--procs", "4", "--json"}, 30 * time.Second},
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
				Name: fmt.Sprintf("logins at %s of what this machine bears, %s", times(x), m),
				File: fmt.Sprintf(loginsFile, m, trim(x)),
				Args: []string{"load", "password", "-m", m, "--rate", trim(math.Max(0.1, x*capacity)),
					"-d", loginTime.String(), "--cut", "1s", "--json"},
				Time: loginTime + time.Second,
			})
		}
	}
	return steps
}

// trim writes a number with at most four digits, as flags and file names want it.
func trim(v float64) string { return fmt.Sprintf("%.4g", v) }

func times(v float64) string { return trim(v) + "x" }
