// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// What the figures of the seven methods say: a pure function of them, so that nobody is told anything that was not
// measured on his machine.

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fount/lab/show"
)

// A Trial is what was measured of the seven methods, and of those beside them, with one GOMAXPROCS.
type Trial struct {
	Steady []Row
	Bursts []Row // nil if not measured
	Cores  int   // that could draw at once
	Call   string

	Length int           // nonces of a burst
	Idle   time.Duration // before it
}

// A Conclusion says what a Trial shows. Of the tale it has sentences only.
type Conclusion struct {
	Winner      string   `json:"winner,omitempty"`      // of the seven, "" if none costs less than all others for sure
	Ratio       float64  `json:"ratio,omitempty"`       // of the least time to Baseline's, 0 if that was not measured or they can't be told apart
	SavingNS    float64  `json:"saving_ns,omitempty"`   // core time it saves on a nonce against Baseline; 0 if none that can be measured
	BreakEven   float64  `json:"break_even,omitempty"`  // nonces per second from which that is 1 % of a core; 0 if never
	ChannelWins []string `json:"channel_wins,omitzero"` // where a method with channels beat Baseline and Amortized
	Sentences   []string `json:"sentences"`             // all of this in words

	docket *Docket
}

// Costs reports whether the costs of two methods in steady use differ for sure, by the same judgement.
func (c Conclusion) Costs(a, b string) bool { return c.docket.Costs(a, b) }

// Bursts reports whether those in bursts do.
func (c Conclusion) Bursts(a, b string) bool { return c.docket.Differ(burst+mean, a, b) }

// The figures of a docket; those of bursts begin with burst.
const (
	mean  = "mean"
	core  = "core"
	burst = "burst "
)

// enter has all compared of which Conclude may speak.
func (t Trial) enter() *Docket {
	d := new(Docket)
	seven := filter(t.Steady, IsOfPost)
	d.EnterPairs(mean, cost, seven, t.Steady)
	if base, ok := find(seven, Baseline{}.Name()); ok {
		d.EnterPairs(core, func(r Row) Sample { return r.coreTime(t.Cores) }, []Row{base}, seven)
		d.EnterPairs(burst+mean, cost, filter(t.Bursts, func(m Method) bool { return m.Name() == base.Method.Name() }), t.Bursts)
	}
	for _, c := range contests {
		d.EnterPairs(c.figure, c.of, filter(t.Steady, hasChannels), filter(t.Steady, hasNone))
		d.EnterPairs(burst+c.figure, c.of, filter(t.Bursts, hasChannels), filter(t.Bursts, hasNone))
	}
	d.family.Decide()
	return d
}

// Conclude compares each round of one method with the same round of another. One beats another if it costs less for sure
// (see package judge): of all that is said here and in the tables, as one family.
func (t Trial) Conclude() Conclusion {
	c := Conclusion{ChannelWins: []string{}, docket: t.enter()}
	seven := filter(t.Steady, IsOfPost)
	if len(seven) < 2 {
		c.Sentences = []string{"Fewer than two of the seven methods were measured: there is nothing to conclude."}
		return c
	}
	c.say(t.busy())
	c.say(t.winner(seven, &c))
	c.say(t.beside(seven, c.docket))
	c.say(channels("In steady use", "", t.Steady, &c))
	if t.Bursts != nil {
		c.say(channels(fmt.Sprintf("In bursts of %d nonces after a pause of %v", t.Length, t.Idle), burst, t.Bursts, &c))
	}
	c.say(t.matter(seven, &c))
	c.say(order(seven, c.docket))
	return c
}

func (c *Conclusion) say(sentence string) {
	if sentence != "" {
		c.Sentences = append(c.Sentences, sentence)
	}
}

// IsOfPost reports whether a method is one of the seven.
func IsOfPost(m Method) bool {
	_, ok := postNS[m.Name()]
	return ok
}

func hasChannels(m Method) bool { return IsOfPost(m) && strings.HasPrefix(m.Name(), "Channel") }

func hasNone(m Method) bool { return IsOfPost(m) && !hasChannels(m) }

// winner is the sentence about the cheapest of the seven.
func (t Trial) winner(seven []Row, c *Conclusion) string {
	best, _ := least(seven, cost)
	name := best.Method.Name()
	of := "the seven"
	if len(seven) < len(postNS) {
		of = fmt.Sprintf("the %d measured of the seven", len(seven))
	}
	alike := filter(seven, func(m Method) bool { return m.Name() != name && !c.docket.Less(mean, name, m.Name()) })
	if len(alike) == 0 {
		c.Winner = name
	}
	base, ok := find(seven, Baseline{}.Name())
	if ok && name != base.Method.Name() && !c.docket.Less(mean, name, base.Method.Name()) {
		return fmt.Sprintf("Of %s, none is measurably cheaper than Baseline, %s ns a nonce; %s has the least median, %s.",
			of, base.Cost, name, best.Cost)
	}
	text := fmt.Sprintf("Of %s, %s is the cheapest: %s ns a nonce", of, name, best.Cost)
	if len(alike) > 0 {
		text = fmt.Sprintf("Of %s, %s has the least median, %s ns a nonce, and can't be told apart from %s", of, name, best.Cost, names(alike))
	}
	switch {
	case ok && name != base.Method.Name():
		c.Ratio = best.Cost.Median() / base.Cost.Median()
		text += fmt.Sprintf(", %sx Baseline's %s", show.Ratio(c.Ratio), base.Cost)
	case len(alike) == 0:
		rest := slices.DeleteFunc(slices.Clone(seven), func(r Row) bool { return r.Method.Name() == name })
		second, _ := least(rest, cost)
		text += fmt.Sprintf("; %s follows with %s", second.Method.Name(), second.Cost)
		if ok {
			c.Ratio = 1
		}
	}
	if w := best.Method.Weakness(); w != "" {
		text += " (" + w + ")"
	}
	return text + "."
}

// beside is the sentence about the rows that are not of the post, against the least of the seven.
func (t Trial) beside(seven []Row, d *Docket) string {
	best, _ := least(seven, cost)
	winner := best.Method.Name()
	var parts []string
	for _, r := range filter(t.Steady, func(m Method) bool { return !IsOfPost(m) && m.Name() != Empty{}.Name() }) {
		against := show.Ratio(r.Cost.Median()/best.Cost.Median()) + "x"
		if !d.Costs(r.Method.Name(), winner) {
			against = "alike"
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s)", r.Method.Name(), r.Cost, against))
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("Beside them, in ns and against %s: %s.", winner, show.Series(parts))
}

// contests are the figures in which a channel may win.
var contests = []struct {
	name, figure string
	of           func(Row) Sample
}{
	{"in the mean", mean, cost},
	{"at p50", "p50", func(r Row) Sample { return r.P50 }},
	{"at p99", "p99", func(r Row) Sample { return r.P99 }},
	{"at p99.9", "p99.9", func(r Row) Sample { return r.P999 }},
}

// channels is the sentence on where the best method with channels beat the better of the two without.
func channels(where, prefix string, rows []Row, c *Conclusion) string {
	with, without := filter(rows, hasChannels), filter(rows, hasNone)
	var won, lost, drawn []string
	for _, contest := range contests {
		channel, ok := least(with, contest.of)
		other, ok2 := least(without, contest.of)
		if !ok || !ok2 {
			continue
		}
		ours, theirs := contest.of(channel), contest.of(other)
		text := fmt.Sprintf("%s (%s %s, %s %s)", contest.name, channel.Method.Name(), ours, other.Method.Name(), theirs)
		switch figure, a, b := prefix+contest.figure, channel.Method.Name(), other.Method.Name(); {
		case c.docket.Less(figure, a, b):
			won = append(won, text)
			c.ChannelWins = append(c.ChannelWins, figure)
		case c.docket.Less(figure, b, a):
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
func (t Trial) matter(seven []Row, c *Conclusion) string {
	base, ok := find(seven, Baseline{}.Name())
	if !ok {
		return ""
	}
	best, _ := least(seven, cost)
	name, baseline := best.Method.Name(), base.Method.Name()
	if name == baseline {
		return "No method saves anything that can be measured against Baseline, so none is worth its upkeep: read when a nonce is needed."
	}
	was, is := base.coreTime(t.Cores), best.coreTime(t.Cores)
	saving := was.Median() - is.Median()
	beside := ""
	if empty, ok := find(t.Steady, Empty{}.Name()); ok && t.Call != "none" {
		beside = fmt.Sprintf(" beside a call that takes %s", empty.coreTime(t.Cores))
	}
	if saving <= 0 || !c.docket.Less(core, name, baseline) || !c.docket.Less(mean, name, baseline) {
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

// coreTime is CPU time, or where that is not known the time of all cores that drew.
func (r Row) coreTime(cores int) Sample {
	if r.Core != nil {
		return r.Core
	}
	return r.Cost.Times(float64(cores))
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
func order(seven []Row, d *Docket) string {
	if len(seven) < len(postNS) {
		return ""
	}
	byCost := ranking(seven)
	var same, reverse, apart int
	for i, fast := range byCost {
		for _, slow := range byCost[i+1:] {
			then := postNS[slow.Method.Name()] - postNS[fast.Method.Name()]
			switch {
			case then == 0: // two of the post's results are equal
			case !d.Costs(fast.Method.Name(), slow.Method.Name()):
				apart++
			case then > 0:
				same++
			default:
				reverse++
			}
		}
	}
	return fmt.Sprintf("From the cheapest on, the order is %s%s; the post's was Amortized, ChannelAmortizedManyWriters, Baseline, ChannelAmortized and ChannelManyWriters alike, ChannelRoundRobin, Channel. Of the %d pairs that differ in the post, %d stand here as there, %d the other way round, and %d can't be told apart.",
		d.ordered(byCost), unsure(d.ordered(byCost)), same+reverse+apart, same, reverse, apart)
}

// unsure explains the mark of [Docket.ordered], if a text has one.
func unsure(text string) string {
	if strings.Contains(text, "~") {
		return " (~: no measurable difference)"
	}
	return ""
}

// busy is a sentence if other programs took so much of the cores that elapsed times are not the methods' own: Baseline
// never waits, so without a call its workers use all the cores they run on. (With runtime.Gosched they don't: 40 % of
// two quiet cores were idle between the draws of the cheapest methods.)
func (t Trial) busy() string {
	base, ok := find(t.Steady, Baseline{}.Name())
	if !ok || base.Core == nil || t.Call != "none" {
		return ""
	}
	part := base.Core.Median() / (base.Cost.Median() * float64(t.Cores))
	if part > 0.9 {
		return ""
	}
	return fmt.Sprintf("Other programs ran meanwhile: Baseline got %.0f %% of its %d cores. The column of core time is not touched by that, elapsed times are: measure again when it is quiet.",
		100*part, t.Cores)
}
