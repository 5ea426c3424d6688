// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// What to do about the figures. Judge is a pure function of them, so that no machine can be told anything its own
// measurement does not say.

import (
	"fmt"

	"fount/cmd/fount/internal/screen"
)

// percent is one hundredth of a core: 10^7 ns in each second.
const percent = 1e7

// Evidence is what Judge judges.
type Evidence struct {
	Workers []int    // of the plan: 1 first
	Results []Result // of CryptoRand and Fount at least

	Syscall bool // crypto/rand makes a system call for each nonce
	Window  int  // bytes that each core's buffer repeats in an undetected clone; 0 if clones are detected
}

// A Verdict says which of crypto/rand and fount to use, and from when it matters.
type Verdict struct {
	Use       string   `json:"use"`                              // "crypto/rand", "fount" or "fount.Strict"; the doctor has "none" if nothing was measured
	Cores     int      `json:"cores"`                            // goroutines that drew at once in the turns the verdict rests on
	SavingNS  float64  `json:"saving_ns"`                        // core time that fount saves on a nonce; below 0 it costs more
	LowNS     float64  `json:"saving_low_ns"`                    // lower end of the saving's interval
	HighNS    float64  `json:"saving_high_ns"`                   // its upper end
	BreakEven float64  `json:"break_even_nonces_per_s_per_core"` // rate from which fount saves 1 % of a core; 0 if never
	Sentences []string `json:"sentences"`                        // all of this in words
}

// Judge compares fount with crypto/rand, each round with the same round. A saving counts if its whole interval (see
// [Sample.Interval]; with fewer than 6 rounds from the least to the greatest) is above zero, and if a core that makes
// nothing but nonces could save 1 %. One worker decides; where that shows no saving, the most workers do. For fount
// stands fount.Strict, which keeps nothing that a clone could repeat, unless fount costs less.
func Judge(e Evidence) Verdict {
	std, own := e.find(CryptoRand{}), e.find(Fount{})
	for _, r := range []Result{std, own} {
		if r.Err != nil {
			return Verdict{Use: CryptoRand{}.Name(), Sentences: []string{
				fmt.Sprintf("Stay with crypto/rand: %s could not be measured, so there is nothing to compare.", r.Method.Name()),
			}}
		}
	}
	if strict := e.find(Strict{}); strict.Err == nil && !e.compare(strict, own, 0).counts() {
		own = strict
	}
	alone, together := e.compare(std, own, 0), e.compare(std, own, len(e.Workers)-1)
	switch {
	case alone.counts():
		return alone.use(e, &together)
	case together.counts():
		return together.use(e, nil)
	}
	return alone.stay()
}

// find returns the method's result; one that was not measured has an Err.
func (e Evidence) find(m Method) Result {
	for _, r := range e.Results {
		if r.Method == m {
			return r
		}
	}
	return Result{Method: m, Err: fmt.Errorf("%s was not measured", m.Name())}
}

// A comparison of two methods holds core time per nonce, in ns: the turn's time times the cores that drew.
type comparison struct {
	method          Method // whose costs are own
	workers         int
	std, own        Sample
	saving, low, hi float64
}

// compare says what own saves against std with the i-th number of workers.
func (e Evidence) compare(std, own Result, i int) comparison {
	cores := float64(e.Workers[i])
	c := comparison{method: own.Method, workers: e.Workers[i], std: std.Costs[i].Times(cores), own: own.Costs[i].Times(cores)}
	saving := c.std.Minus(c.own)
	c.saving = saving.Median()
	c.low, c.hi = saving.spread()
	return c
}

// spread is the Interval, or where there is none, the least and the greatest value.
func (s Sample) spread() (low, hi float64) {
	low, hi, ok := s.Interval()
	if !ok {
		return s.Min(), s.Max()
	}
	return low, hi
}

// counts reports whether the saving is more than noise and could ever be 1 % of a core.
func (c comparison) counts() bool {
	return c.low > 0 && c.saving >= c.std.Median()/100
}

// breakEven is the rate, in nonces per second and core, at which the saving is 1 % of a core.
func (c comparison) breakEven() float64 { return percent / c.saving }

// stay is the verdict where fount saves nothing.
func (c comparison) stay() Verdict {
	v := c.verdict(CryptoRand{}.Name())
	text := fmt.Sprintf("Stay with crypto/rand. It costs %s ns a nonce on this machine, %s %s ns", c.std, c.method.Name(), c.own)
	switch {
	case c.hi < 0:
		text += "."
	case c.low <= 0:
		text += fmt.Sprintf("; the difference is within the noise of the measurement (%s to %s ns in %s).",
			screen.NS(c.low), screen.NS(c.hi), c.rounds())
	default:
		text += ": a core that made nothing but nonces would save less than 1 %."
	}
	v.Sentences = append([]string{text}, c.noise()...)
	return v
}

// use is the verdict where fount saves something. together is the comparison on all cores, nil if c is it.
func (c comparison) use(e Evidence, together *comparison) Verdict {
	name := c.method.Name()
	v := c.verdict(name)
	v.BreakEven = c.breakEven()
	below := fmt.Sprintf("Below %s nonces per second and core, stay with crypto/rand: %s would save less than 1 %% of a core.",
		screen.Rate(v.BreakEven), name)
	instead := c.std.String()
	if e.Syscall {
		instead += " for a system call"
	}
	if together == nil {
		instead += fmt.Sprintf(" while all %d cores draw (one alone saves nothing that can be measured)", c.workers)
	}
	above := fmt.Sprintf("Above that, %s pays: %s ns a nonce instead of %s, a saving of %s ns (%s to %s in %s).",
		name, c.own, instead, screen.NS(c.saving), screen.NS(c.low), screen.NS(c.hi), c.rounds())
	v.Sentences = []string{below, above}
	v.Sentences = append(v.Sentences, c.clones(e)...)
	v.Sentences = append(v.Sentences, c.noise()...)
	if together != nil && together.differs(c) {
		v.Sentences = append(v.Sentences, together.besides())
	}
	v.Sentences = append(v.Sentences, c.cheaper(e)...)
	v.Sentences = v.Sentences[:min(len(v.Sentences), most)]
	return v
}

// most is how many sentences a verdict has at most; those that come last are needed least.
const most = 5

// clones is the sentence about what a clone of the machine repeats.
func (c comparison) clones(e Evidence) []string {
	switch {
	case c.method == Strict{}:
		return []string{fmt.Sprintf("It asks the kernel each time and keeps nothing that a clone could repeat; fount.Nonce, at %s ns, is not measurably cheaper.",
			e.find(Fount{}).Costs[0])}
	case e.Window > 0:
		return []string{fmt.Sprintf(
			"A clone of this machine would repeat up to %d bytes, %d nonces, of each core: where that must not be, stay with crypto/rand or use fount.Strict.",
			e.Window, e.Window/len(Nonce{}))}
	}
	return nil
}

// noise is a sentence if the machine was so busy that crypto/rand's own median is uncertain by a tenth.
func (c comparison) noise() []string {
	low, hi := c.std.spread()
	if hi-low <= c.std.Median()/10 {
		return nil
	}
	return []string{fmt.Sprintf("The machine was busy meanwhile (crypto/rand took %s to %s ns): measure again when it is quiet.",
		screen.NS(low), screen.NS(hi))}
}

// cheaper is a sentence if the buffer of the 2016 post costs less than fount with one worker.
func (c comparison) cheaper(e Evidence) []string {
	buffered := e.find(Buffered{Size: 256})
	if buffered.Err != nil {
		return nil
	}
	than := e.compare(e.find(c.method), buffered, 0)
	if !than.counts() {
		return nil
	}
	return []string{fmt.Sprintf("A %s costs less still, %s ns: a clone repeats it, Reseed does not reach it, and it keeps what it has handed out.",
		buffered.Method.Name(), than.own)}
}

// differs reports whether the saving with all cores is so far from the saving of one that it is worth a sentence.
func (c comparison) differs(alone comparison) bool {
	return c.workers != alone.workers && (c.low > 1.25*alone.hi || c.hi < 0.8*alone.low)
}

// besides is the sentence about all cores after the one about one core.
func (c comparison) besides() string {
	if !c.counts() {
		return fmt.Sprintf("While all %d cores draw at once it saves nothing.", c.workers)
	}
	return fmt.Sprintf("While all %d cores draw at once it is %s ns of core time instead of %s, and the rate from which it pays %s.",
		c.workers, c.own, c.std, screen.Rate(c.breakEven()))
}

func (c comparison) verdict(use string) Verdict {
	return Verdict{Use: use, Cores: c.workers, SavingNS: c.saving, LowNS: c.low, HighNS: c.hi}
}

func (c comparison) rounds() string {
	if len(c.std) == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", len(c.std))
}
