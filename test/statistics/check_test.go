// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package statistics

// The rule, fixed and derived here.
//
// A check is one test of one tool on one stream. Its verdict on bytes of a perfect source is bad with a
// probability a that is known; so a check that is bad on a stream of fount's is done again on fresh bytes, and
// fails if it is bad inARow times in a row: with probability a^inARow. A fault that is always there is always
// bad. One that comes and goes can be taken for chance; against the worst of these, bytes that are
// served again, there is "repeats", which has no second attempt.
//
//	check          bad if                              a         in a row   a^inARow   checks   together
//	ent, bytes     chi-square below 0.01 % or          2·10⁻⁴    2          4·10⁻⁸     5        2·10⁻⁷
//	               above 99.99 %
//	ent, bits      the same                            3·10⁻⁴    2          8·10⁻⁸     5        4·10⁻⁷
//	rngtest        9 blocks or more of 1,000           3·10⁻⁷    2          10⁻¹³      5        0
//	repeats        15 bytes come again                 4·10⁻⁸    1          4·10⁻⁸     5        2·10⁻⁷
//	dieharder      WEAK or FAILED: p < 0.005 or        0.01      4          10⁻⁸       65       7·10⁻⁷
//	               p > 0.995
//	its "runs"     the same, of two p-values           0.02      4          1.6·10⁻⁷   5        8·10⁻⁷
//
// So without a fault the quick set fails once in 1.2 million runs and the long set once in 440,000, if the tools'
// p-values are exact. dieharder's are not quite: a test makes 100, and the one it reports says how well these agree
// with the uniform distribution. Of 200 that it reported on ChaCha20, 4 were WEAK, where 2 are to be expected. If
// that were three times as often as it should, the long set would fail once in 8,000 runs. FAILED (p < 10⁻⁶ or
// > 1 - 10⁻⁶) is not final either, because it rests on the same approximations.
//
// ent, bits: 1/10,000 below, and above 99.99 % lies one value, as many ones as zeros in n = 20,000,032 bits, with
// probability √(2/πn) = 1.8·10⁻⁴.
//
// rngtest: a block of 20,000 bits fails with probability 8.6·10⁻⁴ (860 ± 29 of 10⁶ blocks of ChaCha8, counted
// by a program of our own from the limits of FIPS 140-2 with change notice 1: runs 348, long run 303, monobit 107, poker
// 104); of 1,000 blocks 0.86 are expected, and 9 or more fail with probability Σ(k≥9) of the Poisson
// distribution: 3·10⁻⁷.
//
// repeats: 312,500 windows of 8 bytes are looked for at 2,500,000 places, and 7.8·10¹¹·2⁻⁶⁴ = 4·10⁻⁸.
//
// A control has no second attempt, and dieharder must say FAILED. Its bytes are the same in every run, so that is
// no matter of chance.

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sampleBytes are 1,000 blocks of rngtest, and the 32 bits that it takes first.
const sampleBytes = 1000*2500 + 4

// A check is one test of a tool.
type check struct {
	name, tool string // tool "" is this package
	inARow     int
	run        func(*testing.T, sample) verdict
}

// A verdict is what a tool says.
type verdict struct {
	bad    bool
	says   string // in a few words
	output string
	weak   bool // bad, but not so bad that a control would count as caught
}

// outcome is what became of a subject.
type outcome struct {
	*subject
	evidence evidence
	tried    []attempt
}

type attempt struct {
	check
	verdict
	number uint64
}

// add keeps a verdict, and reports whether it is good.
func (o *outcome) add(t *testing.T, c check, v verdict, number uint64) bool {
	o.tried = append(o.tried, attempt{c, v, number})
	if v.bad && !o.control {
		t.Logf("%s, attempt %d of %d: %s", c.name, number+1, c.inARow, v.says)
	}
	return !v.bad
}

// failed returns the names of the checks that failed, in their order.
func (o *outcome) failed() (names []string) {
	for _, a := range o.tried {
		last := a.number == uint64(a.inARow)-1
		if a.bad && (o.control && !a.weak || !o.control && last) {
			names = append(names, a.name)
		}
	}
	return names
}

// last returns the last verdict of a check, and how many were bad.
func (o *outcome) last(name string) (v verdict, bad int) {
	for _, a := range o.tried {
		if a.name == name {
			v = a.verdict
			if a.bad {
				bad++
			}
		}
	}
	return v, bad
}

// summary is a check in the table.
func (o *outcome) summary(name string) string {
	v, bad := o.last(name)
	switch {
	case slices.Contains(o.failed(), name):
		return "**" + v.says + "**"
	case bad > 0 && !v.bad:
		return fmt.Sprintf("%s, at attempt %d", v.says, bad+1)
	}
	return v.says
}

// dieharderSummary is dieharder's checks in the table.
func (o *outcome) dieharderSummary() string {
	var bad []string
	for _, name := range o.failed() {
		if slices.Contains(dieharderNames, name) {
			bad = append(bad, name)
		}
	}
	n := len(dieharderNames)
	switch again := o.again(); {
	case len(bad) == n:
		return fmt.Sprintf("**%d of %d**", n, n)
	case len(bad) > n/2:
		good := slices.DeleteFunc(slices.Clone(dieharderNames), func(s string) bool { return slices.Contains(bad, s) })
		return fmt.Sprintf("**%d of %d**: all but %s", len(bad), n, strings.Join(good, ", "))
	case len(bad) > 0:
		return fmt.Sprintf("**%d of %d**: %s", len(bad), n, strings.Join(bad, ", "))
	case len(again) > 0 && !o.control:
		return fmt.Sprintf("0 of %d; again for: %s", n, strings.Join(again, ", "))
	}
	return fmt.Sprintf("0 of %d", n)
}

// again returns dieharder's checks that were bad at first.
func (o *outcome) again() (names []string) {
	for _, name := range dieharderNames {
		if _, bad := o.last(name); bad > 0 {
			names = append(names, fmt.Sprintf("%s (%d bad)", name, bad))
		}
	}
	return names
}
