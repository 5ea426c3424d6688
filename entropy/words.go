// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The processor's instructions as sources.

package entropy

import (
	"encoding/binary"
	"errors"

	"fount/internal/erase"
)

// Both count for nothing: whether they are what the manual says can't be seen
// from outside, and on a virtual machine the hypervisor may stand in between.
// They are asked for what the kernel may lack: clones that differ at once.
var (
	rdseedSource = source{name: "rdseed", length: 32, tested: true, absent: rdseedAbsent, fill: rdseedFill}
	rdrandSource = source{name: "rdrand", length: 32, tested: true, absent: rdrandAbsent, fill: rdrandFill}
)

// Functions, because a method value in the list would be made by init.
func rdseedFill(b []byte) (int, error) { return rdseedWords.fill(b) }
func rdrandFill(b []byte) (int, error) { return rdrandWords.fill(b) }

var (
	rdseedWords = words{draw: rdseedDraw, empty: errDry, tests: newHealth(wordRepetition, wordProportion)}
	rdrandWords = words{draw: rdrandDraw, empty: errBroken, tests: newHealth(wordRepetition, wordProportion)}
)

// Cutoffs for H = 16 of the 64 bits of a word (see health). The tests are made
// for raw samples, and the processor shows none: it tests its own, inside, and
// hands out words that are already conditioned. What is left to see is output
// that stands still, and for that a quarter of the 64 bits is enough.
const wordRepetition, wordProportion = 4, 5

// startWords is how many words are drawn and dropped at first, with a stricter
// eye: no two in a row may be equal. Of sound words that happens in 2^-61 of all
// starts.
const startWords = 8

var (
	errBroken  = errors.New("the processor gave no number in 10 tries")
	errStuck   = errors.New("it stands still: the same 64 bits came twice in a row at the start")
	errAllBits = errors.New("it stands still: 64 bits that are all equal")
)

func rdseedDraw() (uint64, bool) {
	v, ok := cpuSeed()
	return tamper(probeRDSEED, v, ok)
}

func rdrandDraw() (uint64, bool) {
	v, ok := cpuRandom()
	return tamper(probeRDRAND, v, ok)
}

// words makes bytes of an instruction that gives 64 bits at a time.
type words struct {
	draw    func() (v uint64, ok bool)
	empty   error // what it means that draw has none
	tests   health
	started bool
}

func (w *words) fill(b []byte) (n int, err error) {
	if !w.started {
		if err := w.start(); err != nil {
			return 0, err
		}
		w.started = true
	}
	var v [8]byte
	defer erase.Wipe(v[:])
	for n < len(b) {
		x, err := w.next()
		if err != nil {
			return n, err
		}
		binary.LittleEndian.PutUint64(v[:], x)
		n += copy(b[n:], v[:])
	}
	return n, nil
}

// start is the check of the first words.
func (w *words) start() error {
	last := uint64(0) // which next never returns
	for range startWords {
		x, err := w.next()
		if err != nil {
			return err
		}
		if x == last {
			return errStuck
		}
		last = x
	}
	return nil
}

// next draws one word. All ones is what RDRAND of some AMD processors gave, as a
// success, after the machine had slept; sound words are all ones or all zeros in
// 2^-63 of all cases.
func (w *words) next() (uint64, error) {
	x, ok := w.draw()
	switch {
	case !ok:
		return 0, w.empty
	case x == 0 || x == ^uint64(0):
		return 0, errAllBits
	}
	return x, w.tests.add(x)
}
