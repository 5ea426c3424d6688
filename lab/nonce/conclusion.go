// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// What the figures of the seven methods say: a pure function of them, so that nobody is told anything that was not
// measured on his machine.

import (
	"fmt"
	"slices"
	"strings"

	"fount/lab/measure"
	"fount/lab/show"
)

// A Trial is what was measured of the seven methods, and of those beside them, with one GOMAXPROCS.
type Trial struct {
	Study
	Steady []measure.Row
	Bursts []measure.Row // nil if not measured
	Cores  int           // that could draw at once
	Crowd  bool          // more or fewer goroutines drew than GOMAXPROCS
}

// condition is the post's or today's with a goroutine for each of GOMAXPROCS alone, as testing.B.RunParallel has.
func (t Trial) condition() measure.Condition {
	c := conditionOf(t.Via.Name, t.Call)
	if t.Crowd {
		c.Name = ""
	}
	return c
}

// The figures of a docket; those of bursts begin with burst.
const (
	mean  = measure.Mean
	core  = "core"
	burst = "burst "
)

// enter has all compared of which Conclude may speak.
func (t Trial) enter() *measure.Docket {
	d := new(measure.Docket)
	seven := measure.Filter(t.Steady, IsOfPost)
	d.EnterPairs(mean, measure.Cost, seven, t.Steady)
	if base, ok := measure.Find(seven, Baseline); ok {
		d.EnterPairs(core, func(r measure.Row) *measure.Sample { return t.core(r) }, []measure.Row{base}, seven)
		d.EnterPairs(burst+mean, measure.Cost, measure.Filter(t.Bursts, func(name string) bool { return name == Baseline }), t.Bursts)
	}
	for _, c := range contests {
		d.EnterPairs(c.figure, c.of, measure.Filter(t.Steady, hasChannels), measure.Filter(t.Steady, hasNone))
		d.EnterPairs(burst+c.figure, c.of, measure.Filter(t.Bursts, hasChannels), measure.Filter(t.Bursts, hasNone))
	}
	d.Decide()
	return d
}

// concludeSeven compares each round of one method with the same round of another. One beats another if it costs less for sure
// (see package judge): of all that is said here and in the tables, as one family.
func (t Trial) concludeSeven() measure.Conclusion {
	c := measure.Conclusion{ChannelWins: []string{}, Docket: t.enter()}
	seven := measure.Filter(t.Steady, IsOfPost)
	if len(seven) < 2 {
		c.Sentences = []string{"Fewer than two of the seven methods were measured: there is nothing to conclude."}
		return c
	}
	c.Say(t.busy())
	c.Say(t.winner(seven, &c))
	c.Say(t.beside(seven, c.Docket))
	c.Say(channels("In steady use", "", t.Steady, &c))
	if t.Bursts != nil {
		c.Say(channels(fmt.Sprintf("In bursts of %d nonces after a pause of %v", t.Length, t.Idle), burst, t.Bursts, &c))
	}
	c.Say(t.matter(seven, &c))
	c.Say(order(seven, c.Docket))
	c.Say(t.differences())
	return c
}

// IsOfPost reports whether a method is one of the seven.
func IsOfPost(name string) bool {
	_, ok := postNS[name]
	return ok
}

func hasChannels(name string) bool { return IsOfPost(name) && strings.HasPrefix(name, "Channel") }

func hasNone(name string) bool { return IsOfPost(name) && !hasChannels(name) }

// winner is the sentence about the cheapest of the seven.
func (t Trial) winner(seven []measure.Row, c *measure.Conclusion) string {
	best, _ := measure.Least(seven, measure.Cost)
	name := best.Name
	of := "the seven"
	if len(seven) < len(postNS) {
		of = fmt.Sprintf("the %d measured of the seven", len(seven))
	}
	alike := measure.Filter(seven, func(other string) bool { return other != name && !c.Docket.Less(mean, name, other) })
	if len(alike) == 0 {
		c.Winner = name
	}
	base, ok := measure.Find(seven, Baseline)
	if ok && name != base.Name && !c.Docket.Less(mean, name, base.Name) {
		return fmt.Sprintf("Of %s, none is measurably cheaper than Baseline, %s ns a nonce; %s has the least median, %s.",
			of, base.NS, name, best.NS)
	}
	text := fmt.Sprintf("Of %s, %s is the cheapest: %s ns a nonce", of, name, best.NS)
	if len(alike) > 0 {
		text = fmt.Sprintf("Of %s, %s has the least median, %s ns a nonce, and can't be told apart from %s", of, name, best.NS, measure.Names(alike))
	}
	switch {
	case ok && name != base.Name:
		c.Ratio = best.NS.Median / base.NS.Median
		text += fmt.Sprintf(", %sx Baseline's %s", show.Ratio(c.Ratio), base.NS)
	case len(alike) == 0:
		rest := slices.DeleteFunc(slices.Clone(seven), func(r measure.Row) bool { return r.Name == name })
		second, _ := measure.Least(rest, measure.Cost)
		text += fmt.Sprintf("; %s follows with %s", second.Name, second.NS)
		if ok {
			c.Ratio = 1
		}
	}
	if w := best.Weakness; w != "" {
		text += " (" + w + ")"
	}
	return text + "."
}

// beside is the sentence about the rows that are not of the post, against the least of the seven.
func (t Trial) beside(seven []measure.Row, d *measure.Docket) string {
	best, _ := measure.Least(seven, measure.Cost)
	winner := best.Name
	var parts []string
	for _, r := range measure.Filter(t.Steady, func(name string) bool { return !IsOfPost(name) && name != empty }) {
		against := show.Ratio(r.NS.Median/best.NS.Median) + "x"
		if !d.Costs(r.Name, winner) {
			against = "alike"
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s)", r.Name, r.NS, against))
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("Beside them, in ns and against %s: %s.", winner, show.Series(parts))
}

// contests are the figures in which a channel may win.
var contests = []struct {
	name, figure string
	of           func(measure.Row) *measure.Sample
}{
	{"in the mean", mean, measure.Cost},
	{"at p50", "p50", func(r measure.Row) *measure.Sample { return r.P50NS }},
	{"at p99", "p99", func(r measure.Row) *measure.Sample { return r.P99NS }},
	{"at p99.9", "p99.9", func(r measure.Row) *measure.Sample { return r.P999NS }},
}

// channels is the sentence on where the best method with channels beat the better of the two without.
func channels(where, prefix string, rows []measure.Row, c *measure.Conclusion) string {
	with, without := measure.Filter(rows, hasChannels), measure.Filter(rows, hasNone)
	var won, lost, drawn []string
	for _, contest := range contests {
		channel, ok := measure.Least(with, contest.of)
		other, ok2 := measure.Least(without, contest.of)
		if !ok || !ok2 {
			continue
		}
		ours, theirs := contest.of(channel), contest.of(other)
		text := fmt.Sprintf("%s (%s %s, %s %s)", contest.name, channel.Name, ours, other.Name, theirs)
		switch figure, a, b := prefix+contest.figure, channel.Name, other.Name; {
		case c.Docket.Less(figure, a, b):
			won = append(won, text)
			c.ChannelWins = append(c.ChannelWins, figure)
		case c.Docket.Less(figure, b, a):
			lost = append(lost, text)
		default:
			drawn = append(drawn, text)
		}
	}
	if won == nil && lost == nil && drawn == nil {
		return ""
	}
	text := where + " no channel won for sure"
	if drawn == nil {
		text = where + " no channel won"
	}
	if won != nil {
		text = where + " a channel won " + show.Series(won)
	}
	if lost != nil {
		text += "; the best of them lost " + show.Series(lost)
	}
	if drawn != nil {
		text += "; there was no telling " + show.Series(drawn)
	}
	return text + "."
}

// matter is the sentence on the rate from which the choice counts.
func (t Trial) matter(seven []measure.Row, c *measure.Conclusion) string {
	base, ok := measure.Find(seven, Baseline)
	if !ok {
		return ""
	}
	best, _ := measure.Least(seven, measure.Cost)
	name, baseline := best.Name, base.Name
	if name == baseline {
		return "No method saves anything that can be measured against Baseline, so none is worth its upkeep: read when a nonce is needed."
	}
	was, is := t.core(base), t.core(best)
	saving := was.Median - is.Median
	beside := ""
	if none, ok := measure.Find(t.Steady, empty); ok && t.Call != "none" {
		beside = fmt.Sprintf(" beside a call that takes %s", t.core(none))
	}
	if saving <= 0 || !c.Docket.Less(core, name, baseline) || !c.Docket.Less(mean, name, baseline) {
		return fmt.Sprintf("It does not matter here: no saving of core time against Baseline can be measured%s.", with(beside, " ns"))
	}
	c.SavingNS, c.BreakEven = saving, percent/saving
	return fmt.Sprintf("%s saves %s ns of core time a nonce%s: 1 %% of a core from %s nonces per second on, and below that nothing to care about.",
		name, show.NS(saving), with(beside, ""), show.Rate(c.BreakEven))
}

// with is a remark and what follows it, "" without the remark.
func with(remark, follows string) string {
	if remark == "" {
		return ""
	}
	return remark + follows
}

// core is CPU time, or where that is not known the time of all cores that drew.
func (t Trial) core(r measure.Row) *measure.Sample {
	if r.CoreNS != nil {
		return r.CoreNS
	}
	return measure.Of(measure.Times(r.NS.Values, float64(t.Cores))...)
}

// PostThen is what a method took in the post, in ns; 0 for one that it has not.
func PostThen(method string) float64 { return postNS[method] }

// postNS are the post's results in ns, on two cores of 2016 and a kernel without getrandom in the vDSO, with
// runtime.Gosched for a call.
var postNS = map[string]float64{
	"Baseline": 1120, "Channel": 1820, "Amortized": 777, "ChannelAmortized": 1290, "ChannelRoundRobin": 1310,
	"ChannelManyWriters": 1290, "ChannelAmortizedManyWriters": 932,
}

// order is the sentence that holds the order of the seven here against the post's.
func order(seven []measure.Row, d *measure.Docket) string {
	if len(seven) < len(postNS) {
		return ""
	}
	byCost := measure.Ranking(seven)
	var same, reverse, apart int
	for i, fast := range byCost {
		for _, slow := range byCost[i+1:] {
			then := postNS[slow.Name] - postNS[fast.Name]
			switch {
			case then == 0: // two of the post's results are equal
			case !d.Costs(fast.Name, slow.Name):
				apart++
			case then > 0:
				same++
			default:
				reverse++
			}
		}
	}
	return fmt.Sprintf("From the cheapest on, the order is %s; the post's, under its own conditions, was Amortized, ChannelAmortizedManyWriters, Baseline, ChannelAmortized and ChannelManyWriters alike, ChannelRoundRobin, Channel. Of the %d pairs that differ in the post, %d stand here as there, %d the other way round, and %d can't be told apart.",
		d.Ordered(byCost), same+reverse+apart, same, reverse, apart)
}

// differences is the sentence on where the post's text and its code differ, if its figures stand beside these.
func (t Trial) differences() string {
	if t.Via == nil || !IsPosts(t.condition()) {
		return ""
	}
	return fmt.Sprintf("The post's text says %d writers and its code has %d: here %d. Its code lets Channel read one of ChannelRoundRobin's channels: here each has its own.",
		postTextWriters, postWriters, t.Writers)
}

// busy is a sentence if other programs took so much of the cores that elapsed times are not the methods' own: Baseline
// never waits, so without a call its workers use all the cores they run on. (With runtime.Gosched they don't: 40 % of
// two quiet cores were idle between the draws of the cheapest methods.)
func (t Trial) busy() string {
	base, ok := measure.Find(t.Steady, Baseline)
	if !ok || base.CoreNS == nil || t.Call != "none" {
		return ""
	}
	part := base.CoreNS.Median / (base.NS.Median * float64(t.Cores))
	if part >= measure.QuietShare {
		return ""
	}
	return fmt.Sprintf("Other programs ran meanwhile: Baseline got %.0f %% of its %d cores. The column of core time is not touched by that, elapsed times are: measure again when it is quiet.",
		100*part, t.Cores)
}
