// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package measure

import (
	"fmt"
	"math"
	"time"

	"fount/internal/cputime"
)

// A Share is the part of the CPU time that this process could have had which it had. It is 0 if
// that is not known.
type Share float64

// QuietShare is the least share with which elapsed times are compared, or advice is given. With
// less, they tell of other programs, which also slow a hash through the caches.
const QuietShare Share = 0.9

// ShareOf returns the share of a process whose threads used so many seconds of CPU time, and
// waited for as many more, within elapsed. It could not have had more than its cores or its CPU
// quota.
func ShareOf(used, waited float64, elapsed time.Duration) Share {
	could := min(used+max(0, waited), Usable()*elapsed.Seconds()) // threads that ended waited too
	if !(could > 0) {                                             // NaN: this system does not tell
		return 0
	}
	return Share(min(1, used/could))
}

// Quiet reports whether the share is known, and large enough for elapsed times and advice.
func (s Share) Quiet() bool { return s >= QuietShare }

// String says what the process had, and what follows if that is too little.
func (s Share) String() string {
	if s == 0 {
		return "It is not known whether other programs ran meanwhile: nothing is compared, and nothing advised."
	}
	text := fmt.Sprintf("The process had %.2f of the core time that it could use", math.Floor(100*float64(s))/100)
	if !s.Quiet() {
		text += ": other programs had the rest, and slow it down. Nothing is compared, and nothing advised"
	}
	return text + "."
}

// Advise returns the advice and the share, or the share alone if that is too little. All advice of
// a command passes here.
func (s Share) Advise(advice ...string) []string {
	if !s.Quiet() {
		advice = nil
	}
	return append(advice, s.String())
}

// A Meter measures the share of this process from Start on.
type Meter struct {
	began        time.Time
	used, waited float64
}

// Start returns a Meter that begins now.
func Start() Meter { return Meter{time.Now(), CPUSeconds(), cputime.Waited()} }

// Share returns the share since the start.
func (m Meter) Share() Share {
	return ShareOf(CPUSeconds()-m.used, cputime.Waited()-m.waited, time.Since(m.began))
}
