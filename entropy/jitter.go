// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Jitter: how long the same work takes, each time.

package entropy

import (
	"crypto/sha512"

	"fount/internal/erase"
)

// jitterSource times accesses to memory. It is Plan 9's idea, where a loop counts
// and the clock's tick reads the counter (19 bytes a second), with the parts
// exchanged: the work is fixed and the time is read, so that each sample takes
// under a microsecond. It counts for nothing: what an estimate says of a machine,
// docs/entropy.md has, and nothing says it of the next.
//
// It costs 1 MiB of memory from its first use on.
var jitterSource = source{
	name:   "jitter",
	length: sha512.Size,
	tested: true,
	absent: present, // where the clock is coarse, its samples fail the tests
	fill:   func(b []byte) (int, error) { return jitterState.fill(b) },
}

var jitterState = jitter{clock: jitterClock, tests: newHealth(jitterRepetition, jitterProportion)}

func jitterClock() uint64 {
	t, _ := tamper(probeClock, ticks(), true)
	return t
}

// RawJitter fills b with raw samples of the jitter source, one a byte, for
// outside assessment: each is the low 8 bits of the time between two readings of
// the clock. They are never used for anything else. They pass the health tests
// like all others, and where they fail the source is cut off (see [List]) but b is
// filled all the same, because that is when one wants to look. About 0.3 µs a
// sample. It may be called from any goroutine.
func RawJitter(b []byte) {
	jitterSource.mu.Lock()
	defer jitterSource.mu.Unlock()
	err := jitterState.raw(b)
	if err != nil {
		jitterSource.cutOff(err)
	}
	jitterSource.gave.Store(true)
}

const (
	// jitterMemory is more than the first cache holds, so that accesses take
	// anything from 5 to 100 cycles. 4 MiB, more than most second caches hold,
	// gave 0.7 bits more a sample for seven times the time.
	jitterMemory = 1 << 20

	// jitterAccesses are between two readings of the clock. One gave 1.4 bits a
	// sample (most common value), 4 gave 3.6, 16 gave 6.1, 64 gave 6.8.
	jitterAccesses = 16

	// Cutoffs for H = 1/2 bit a sample (see health), a seventh of what SP 800-90B's
	// assessment left on one machine (docs/results/entropy.md).
	jitterRepetition, jitterProportion = 81, 432

	// jitterStart samples are tested and dropped at first, as many as SP 800-90B
	// section 4.3 asks of a start-up test.
	jitterStart = 1024

	// jitterSamples go into one SHA-512: at 1/2 bit each they hold 64 bits more
	// than its 512, what SP 800-90C asks for output of full entropy.
	jitterSamples = 2 * (512 + 64)
)

// jitter is the state of the source. What it writes to memory is of no secret.
type jitter struct {
	clock   func() uint64
	memory  []byte // nil before the start
	place   uint64 // of the walk through memory; 0 at each start, so that an assessment sees the clock alone
	last    uint64 // reading of the clock
	samples *[jitterSamples]byte
	tests   health
}

// fill makes 64 bytes at a time of fresh samples.
func (j *jitter) fill(b []byte) (n int, err error) {
	if j.samples == nil {
		j.samples = &erase.New[[jitterSamples]byte](1)[0]
	}
	defer erase.Wipe(j.samples[:])
	for n < len(b) {
		if err := j.raw(j.samples[:]); err != nil {
			return 0, err
		}
		sum := sha512.Sum512(j.samples[:])
		n += copy(b[n:], sum[:])
		erase.Wipe(sum[:])
	}
	return n, nil
}

// raw fills b with samples and returns the first failure of a test.
func (j *jitter) raw(b []byte) (err error) {
	if j.memory == nil {
		j.memory = make([]byte, jitterMemory)
		for range jitterStart {
			if _, e := j.sample(); err == nil {
				err = e
			}
		}
	}
	j.last = j.clock() // the time since the last call is no sample
	for i := range b {
		s, e := j.sample()
		b[i] = s
		if err == nil {
			err = e
		}
	}
	return err
}

// sample walks and takes the time. Where each access goes depends on what the one
// before it found, so that none begins before the last is done.
func (j *jitter) sample() (byte, error) {
	x := j.place
	for range jitterAccesses {
		x = 6364136223846793005*x + 1442695040888963407 // Knuth's MMIX; its high bits are the better ones
		p := &j.memory[x>>(64-20)]                      // 2^20 = jitterMemory
		x += uint64(*p)
		*p++
	}
	j.place = x
	t := j.clock()
	s := byte(t - j.last)
	j.last = t
	return s, j.tests.add(uint64(s))
}
