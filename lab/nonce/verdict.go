// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// What to do about the figures. Judge is a pure function of them, so that no machine can be told anything its own
// measurement does not say.

import (
	"fmt"
	"slices"
	"time"

	"fount/internal/judge"
	"fount/lab/measure"
	"fount/lab/show"
)

// percent is one hundredth of a core: 10^7 ns in each second.
const percent = 1e7

// Evidence is what Judge judges.
type Evidence struct {
	Workers []int            // of the plan: 1 first
	Results []measure.Result // of CryptoRand and Fount at least

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

// Judge compares fount with crypto/rand, each round with the same round. A saving counts if it is above zero for sure
// (see package judge: all comparisons that are made here are one family), and if a core that makes nothing but nonces
// could save 1 %. One worker decides; where that shows no saving, the most workers do. For fount stands fount.Strict,
// which keeps nothing that a clone could repeat, unless fount costs less for sure.
func Judge(e Evidence) Verdict {
	std, own := e.find(CryptoRand()), e.find(Fount())
	for _, r := range []measure.Result{std, own} {
		if r.Err != nil {
			return Verdict{Use: cryptoRand, Sentences: []string{
				fmt.Sprintf("Stay with crypto/rand: %s could not be measured, so there is nothing to compare.", r.Method.Name),
			}}
		}
	}
	var family judge.Family
	kept, buffered, all := e.find(Strict()), e.find(Buffered(256)), len(e.Workers)-1
	candidate := func(m measure.Result) (c candidacy) {
		c.alone, c.buffered = e.compare(&family, std, m, 0), e.compare(&family, m, buffered, 0)
		if c.together = c.alone; all > 0 {
			c.together = e.compare(&family, std, m, all)
		}
		return c
	}
	chosen, instead, keeps := candidate(own), candidate(kept), e.compare(&family, kept, own, 0)
	family.Decide()
	if kept.Err == nil && !keeps.counts() {
		chosen, chosen.kept = instead, keeps
	}
	switch {
	case chosen.alone.counts():
		return chosen.alone.use(e, chosen)
	case chosen.together.counts():
		return chosen.together.use(e, chosen)
	}
	return chosen.alone.stay()
}

// A candidacy is the comparisons of fount or fount.Strict: with crypto/rand, one worker and the most, and with a buffer. That of
// fount.Strict has kept too, what fount would save against it.
type candidacy struct{ alone, together, buffered, kept comparison }

// again reports whether rounds have to be repeated: the saving varies more from one run of rounds to another than within.
func again(results []measure.Result) bool {
	e := Evidence{Results: results}
	std, own := e.find(CryptoRand()), e.find(Fount())
	if std.Err != nil || own.Err != nil {
		return false
	}
	for i := range std.Costs {
		if judge.Split(measure.Minus(std.Costs[i].Values, own.Costs[i].Values)).Wide() {
			return true
		}
	}
	return false
}

// Examination is the plan of the doctor, for one worker. 31 rounds and 10 runs of them; as many again where the
// runs differ more than their rounds do.
func Examination() measure.Plan {
	return measure.Plan{Rounds: 31, Turn: 12 * time.Millisecond, Warmup: 3 * time.Millisecond / 2, Workers: []int{1}, CPU: measure.ProcessCPU, Again: again}
}

// find returns the method's result; one that was not measured has an Err.
func (e Evidence) find(m measure.Method) measure.Result {
	for _, r := range e.Results {
		if r.Method.Name == m.Name {
			return r
		}
	}
	return measure.Result{Method: m, Err: fmt.Errorf("%s was not measured", m.Name)}
}

// A comparison of two methods holds core time per nonce, in ns: the turn's time times the cores that drew.
type comparison struct {
	method          measure.Method // whose costs are own
	workers         int
	std, own        *measure.Sample
	saving, low, hi float64
	verdict         *judge.Verdict // nil if there is nothing to compare
}

// compare says what own saves against std with the i-th number of workers, and enters it in the family, which is judged
// later. Of a method that was not measured it is empty.
func (e Evidence) compare(f *judge.Family, std, own measure.Result, i int) comparison {
	if std.Err != nil || own.Err != nil {
		return comparison{}
	}
	cores := float64(e.Workers[i])
	of := func(r measure.Result) *measure.Sample { return measure.Of(measure.Times(r.Costs[i].Values, cores)...) }
	c := comparison{method: own.Method, workers: e.Workers[i], std: of(std), own: of(own)}
	saving := measure.Minus(c.std.Values, c.own.Values)
	c.verdict = f.Add(judge.Split(saving).Estimate(), 0)
	c.saving = c.verdict.Center
	c.low, c.hi = spread(saving)
	return c
}

// spread is the 95 % interval, or where there is none, the least and the greatest value.
func spread(values []float64) (low, hi float64) {
	low, hi, ok := judge.Split(values).Estimate().Interval()
	if !ok {
		return slices.Min(values), slices.Max(values)
	}
	return low, hi
}

// counts reports whether there is a saving for sure, which could ever be 1 % of a core.
func (c comparison) counts() bool {
	return c.verdict != nil && c.verdict.Above() && c.saving >= c.std.Median/100
}

// breakEven is the rate, in nonces per second and core, at which the saving is 1 % of a core.
func (c comparison) breakEven() float64 { return percent / c.saving }

// stay is the verdict where fount saves nothing.
func (c comparison) stay() Verdict {
	v := c.words(cryptoRand)
	text := fmt.Sprintf("Stay with crypto/rand. It costs %s ns a nonce on this machine, %s %s ns", c.std, c.method.Name, c.own)
	switch {
	case c.hi < 0:
		text += "."
	case !c.verdict.Sure:
		text += fmt.Sprintf("; the difference is within the noise of the measurement (%s to %s ns in %s).",
			show.NS(c.low), show.NS(c.hi), c.rounds())
	default:
		text += ": a core that made nothing but nonces would save less than 1 %."
	}
	v.Sentences = append([]string{text}, c.noise()...)
	return v
}

// use is the verdict where fount saves something, by this comparison of those of a candidacy.
func (c comparison) use(e Evidence, of candidacy) Verdict {
	name, alone := c.method.Name, c.verdict == of.alone.verdict
	v := c.words(name)
	v.BreakEven = c.breakEven()
	below := fmt.Sprintf("Below %s nonces per second and core, stay with crypto/rand: %s would save less than 1 %% of a core.",
		show.Rate(v.BreakEven), name)
	instead := c.std.String()
	if e.Syscall {
		instead += " for a system call"
	}
	if !alone {
		instead += fmt.Sprintf(" while all %d cores draw (one alone saves nothing that can be measured)", c.workers)
	}
	above := fmt.Sprintf("Above that, %s pays: %s ns a nonce instead of %s, a saving of %s ns (%s to %s in %s).",
		name, c.own, instead, show.NS(c.saving), show.NS(c.low), show.NS(c.hi), c.rounds())
	v.Sentences = []string{below, above}
	v.Sentences = append(v.Sentences, c.clones(e, of.kept)...)
	v.Sentences = append(v.Sentences, c.noise()...)
	if alone && of.together.differs(c) {
		v.Sentences = append(v.Sentences, of.together.besides())
	}
	v.Sentences = append(v.Sentences, of.buffered.cheaper()...)
	v.Sentences = v.Sentences[:min(len(v.Sentences), most)]
	return v
}

// most is how many sentences a verdict has at most; those that come last are needed least.
const most = 5

// clones is the sentence about what a clone of the machine repeats.
func (c comparison) clones(e Evidence, kept comparison) []string {
	switch {
	case c.method.Name == strict:
		is := "is not measurably cheaper"
		if kept.verdict.Above() {
			is = "is cheaper by less than 1 %"
		}
		return []string{fmt.Sprintf("It asks the kernel each time and keeps nothing that a clone could repeat; fount.Nonce, at %s ns, %s.",
			e.find(Fount()).Costs[0], is)}
	case e.Window > 0:
		return []string{fmt.Sprintf(
			"A clone of this machine would repeat up to %d bytes, %d nonces, of each core: where that must not be, stay with crypto/rand or use fount.Strict.",
			e.Window, e.Window/len(Nonce{}))}
	}
	return nil
}

// noise is a sentence if the machine was so busy that crypto/rand's own median is uncertain by a tenth.
func (c comparison) noise() []string {
	low, hi := spread(c.std.Values)
	if hi-low <= c.std.Median/10 {
		return nil
	}
	return []string{fmt.Sprintf("The machine was busy meanwhile (crypto/rand took %s to %s ns): measure again when it is quiet.",
		show.NS(low), show.NS(hi))}
}

// cheaper is a sentence if the buffer of the 2016 post costs less with one worker than what it is compared with.
func (c comparison) cheaper() []string {
	if !c.counts() {
		return nil
	}
	return []string{fmt.Sprintf("A %s costs less still, %s ns: a clone repeats it, Reseed does not reach it, and it keeps what it has handed out.",
		c.method.Name, c.own)}
}

// differs reports whether the saving with all cores is so far from the saving of one that it is worth a sentence.
func (c comparison) differs(alone comparison) bool {
	return c.workers != alone.workers && (c.low > 1.25*alone.hi || c.hi < 0.8*alone.low)
}

// besides is the sentence about all cores after the one about one core.
func (c comparison) besides() string {
	if !c.counts() {
		return fmt.Sprintf("While all %d cores draw at once no saving can be measured.", c.workers)
	}
	return fmt.Sprintf("While all %d cores draw at once it is %s ns of core time instead of %s, and the rate from which it pays %s.",
		c.workers, c.own, c.std, show.Rate(c.breakEven()))
}

func (c comparison) words(use string) Verdict {
	return Verdict{Use: use, Cores: c.workers, SavingNS: c.saving, LowNS: c.low, HighNS: c.hi}
}

func (c comparison) rounds() string {
	if len(c.std.Values) == 1 {
		return "1 round"
	}
	return fmt.Sprintf("%d rounds", len(c.std.Values))
}
