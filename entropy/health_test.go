// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import (
	"math"
	"math/big"
	"strings"
	"testing"
)

// repetitionCutoff and proportionCutoff are the formulas of SP 800-90B, sections
// 4.4.1 and 4.4.2, for α = 2^-alpha and h bits of entropy a sample.
func repetitionCutoff(alpha, h float64) int { return 1 + int(math.Ceil(alpha/h)) }

func proportionCutoff(alpha, h float64) int { return 1 + critbinom(healthWindow, h, alpha) }

// critbinom is the least k for which at most k of n events of probability 2^-h
// happen with a probability of at least 1 - 2^-alpha, added up in 300 bits.
func critbinom(n int, h, alpha float64) int {
	const precision = 300
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }
	p := number(math.Exp2(-h))
	q := new(big.Float).Sub(number(1), p)
	odds := new(big.Float).Quo(p, q)
	term := number(1) // the probability of k events, first q^n
	for range n {
		term.Mul(term, q)
	}
	want := new(big.Float).Sub(number(1), number(math.Exp2(-alpha)))
	sum := number(0)
	for k := range n {
		if sum.Add(sum, term); sum.Cmp(want) >= 0 {
			return k
		}
		term.Mul(term, odds).Mul(term, number(float64(n-k))).Quo(term, number(float64(k+1)))
	}
	return n
}

func TestCutoffs(t *testing.T) {
	// The formulas here against cutoffs that others published: Go 1.26's
	// crypto/internal/entropy/v1.0.0 (H = 1/2), and Bouncy Castle's FIPS module
	// (H = 8), both for α = 2^-20.
	for _, other := range []struct {
		h                      float64
		repetition, proportion int
	}{{0.5, 41, 410}, {8, 4, 13}} {
		r, p := repetitionCutoff(20, other.h), proportionCutoff(20, other.h)
		if r != other.repetition || p != other.proportion {
			t.Errorf("H = %v: cutoffs %d and %d, published %d and %d", other.h, r, p, other.repetition, other.proportion)
		}
	}
	for _, own := range []struct {
		source                 string
		h                      float64
		repetition, proportion int
	}{{"jitter", 0.5, jitterRepetition, jitterProportion}, {"rdseed and rdrand", 16, wordRepetition, wordProportion}} {
		r, p := repetitionCutoff(40, own.h), proportionCutoff(40, own.h)
		if r != own.repetition || p != own.proportion {
			t.Errorf("%s: cutoffs %d and %d, computed %d, %d", own.source, own.repetition, own.proportion, r, p)
		}
	}
}

// failsAt returns the index of the first sample at which h fails, and its error,
// or -1.
func failsAt(h health, samples []uint64) (int, error) {
	for i, x := range samples {
		if err := h.add(x); err != nil {
			return i, err
		}
	}
	return -1, nil
}

// different returns n samples of which no two are equal, none below 1000.
func different(n int) []uint64 {
	s := make([]uint64, n)
	for i := range s {
		s[i] = 1000 + uint64(i)
	}
	return s
}

// with sets samples at the indices from from on to x.
func with(s []uint64, x uint64, from, n int) []uint64 {
	for i := range n {
		s[from+i] = x
	}
	return s
}

// Data that passes, and the same data with one sample more that is equal.
func TestRepetitionCount(t *testing.T) {
	for _, cutoff := range []int{wordRepetition, jitterRepetition} {
		h := newHealth(cutoff, healthWindow+1) // the other test never fails
		for _, from := range []int{0, 1, 100, healthWindow - 2} {
			passes := with(different(2*healthWindow), 7, from, cutoff-1)
			if i, err := failsAt(h, passes); i >= 0 {
				t.Errorf("%d equal samples from %d on fail at %d: %v", cutoff-1, from, i, err)
			}
			fails := with(different(2*healthWindow), 7, from, cutoff)
			i, err := failsAt(h, fails)
			if i != from+cutoff-1 || err == nil || !strings.HasPrefix(err.Error(), "repetition count test") {
				t.Errorf("%d equal samples from %d on fail at %d: %v", cutoff, from, i, err)
			}
		}
		// Two runs with one other sample between them are two runs.
		s := with(with(different(2*healthWindow), 7, 0, cutoff-1), 7, cutoff, cutoff-1)
		if i, err := failsAt(h, s); i >= 0 {
			t.Errorf("two runs of %d fail at %d: %v", cutoff-1, i, err)
		}
	}
}

// spread returns two windows in which n samples of the first one, the first among
// them, are 7, no two of them in a row as long as there is room.
func spread(n int) []uint64 {
	s := different(2 * healthWindow)
	for i := range n {
		s[i*2%healthWindow+i*2/healthWindow] = 7
	}
	return s
}

func TestAdaptiveProportion(t *testing.T) {
	for _, cutoff := range []int{wordProportion, jitterProportion} {
		h := newHealth(healthWindow+1, cutoff) // the other test never fails
		if i, err := failsAt(h, spread(cutoff-1)); i >= 0 {
			t.Errorf("%d equal samples of a window fail at %d: %v", cutoff-1, i, err)
		}
		i, err := failsAt(h, spread(cutoff))
		if i < 0 || i >= healthWindow || err == nil || !strings.HasPrefix(err.Error(), "adaptive proportion test") {
			t.Errorf("%d equal samples of a window fail at %d: %v", cutoff, i, err)
		}
		// The last sample of a window counts, the first of the next does not.
		s := with(different(2*healthWindow), 7, 0, cutoff-1)
		s[healthWindow-1] = 7
		if i, _ := failsAt(h, s); i != healthWindow-1 {
			t.Errorf("cutoff %d: the last sample of the window fails at %d", cutoff, i)
		}
		s[healthWindow-1], s[healthWindow] = 1, 7
		if i, err := failsAt(h, s); i >= 0 {
			t.Errorf("cutoff %d: the first sample of the next window fails at %d: %v", cutoff, i, err)
		}
		// It looks at the first sample alone, in the second window too.
		s = with(different(2*healthWindow), 7, healthWindow, cutoff)
		if i, _ := failsAt(h, s); i != healthWindow+cutoff-1 {
			t.Errorf("cutoff %d: the second window fails at %d", cutoff, i)
		}
		s[healthWindow] = 1
		if i, err := failsAt(h, s); i >= 0 {
			t.Errorf("cutoff %d: samples that are not equal to the first fail at %d: %v", cutoff, i, err)
		}
	}
}

// Samples of 2 bits, four times what H asks for, fail in fewer than one of 2^100
// runs of this test.
func TestHealthPassesSoundSamples(t *testing.T) {
	b := make([]byte, 1<<18)
	Kernel(b)
	h := newHealth(jitterRepetition, jitterProportion)
	for i, x := range b {
		if err := h.add(uint64(x) & 3); err != nil {
			t.Fatalf("sample %d: %v", i, err)
		}
	}
}
