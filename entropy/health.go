// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The health tests of SP 800-90B, section 4.4, on raw samples.

package entropy

import (
	"errors"
	"strconv"
)

// health runs both tests on every sample of one source. Each has a cutoff C that
// follows from three numbers:
//
//   - H, the least entropy of a sample that the source is meant to have, in bits.
//     A sample then has no value with a probability above 2^-H.
//   - α = 2^-40, how often a source that has this H may fail all the same. A
//     failure is for good here, so this is rarer than the 2^-20 that the section
//     calls reasonable: a million samples a day would meet that one every day.
//   - W = 512 samples, the section's window where samples are not single bits.
//
// Repetition count (4.4.1): C = 1 + ⌈40/H⌉ equal samples in a row, as the
// C-1 samples after the first are equal to it with a probability of at most
// 2^(-H·(C-1)) ≤ α.
//
// Adaptive proportion (4.4.2): C = 1 + CRITBINOM(W, 2^-H, 1-α) of W samples equal
// to the first of them. CRITBINOM(n, p, q) is the least k for which at most k of n
// events of probability p happen with a probability of at least q.
//
//	source          H     repetition       proportion
//	jitter          1/2   1+⌈80⌉   = 81    1+431 = 432
//	RDSEED, RDRAND  16    1+⌈2.5⌉  = 4     1+4   = 5
//
// The test of this file computes the table again.
type health struct {
	repetition repetitionCount
	proportion adaptiveProportion
}

const healthWindow = 512 // W

func newHealth(repetition, proportion int) health {
	return health{repetitionCount{cutoff: repetition}, adaptiveProportion{cutoff: proportion}}
}

// add looks at one more sample. After an error the tests go on as if there had
// been none; whether the source is used any longer is not theirs to say.
func (h *health) add(sample uint64) error {
	if !h.repetition.pass(sample) {
		return errors.New("repetition count test: " + strconv.Itoa(h.repetition.run) +
			" equal samples in a row, at most " + strconv.Itoa(h.repetition.cutoff-1) + " pass")
	}
	if !h.proportion.pass(sample) {
		return errors.New("adaptive proportion test: " + strconv.Itoa(h.proportion.equal) + " of " +
			strconv.Itoa(healthWindow) + " samples are equal to the first, at most " +
			strconv.Itoa(h.proportion.cutoff-1) + " pass")
	}
	return nil
}

// repetitionCount is the test of section 4.4.1: it fails when run reaches cutoff.
type repetitionCount struct {
	cutoff int
	last   uint64
	run    int // samples equal to last, with itself; 0 before the first sample
}

func (t *repetitionCount) pass(sample uint64) bool {
	if sample != t.last { // before the first sample run is 0 either way
		t.last, t.run = sample, 0
	}
	t.run++
	return t.run < t.cutoff
}

// adaptiveProportion is the test of section 4.4.2: it fails when equal reaches
// cutoff. Windows follow each other without overlap.
type adaptiveProportion struct {
	cutoff int
	first  uint64 // sample of the window
	seen   int    // samples of the window so far
	equal  int    // to first, with itself
}

func (t *adaptiveProportion) pass(sample uint64) bool {
	if t.seen == 0 {
		t.first, t.equal = sample, 0
	}
	if sample == t.first {
		t.equal++
	}
	t.seen = (t.seen + 1) % healthWindow
	return t.equal < t.cutoff
}
