// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

// What the figures of the seven methods say: a pure function of them, so that nobody is told anything that was not
// measured on his machine.

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fount/cmd/fount/internal/screen"
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
	Winner      string   `json:"winner,omitempty"`      // of the seven, "" if nothing was to be compared
	Ratio       float64  `json:"ratio,omitempty"`       // of its time to Baseline's, 0 if that was not measured
	SavingNS    float64  `json:"saving_ns,omitempty"`   // core time it saves on a nonce against Baseline; 0 if none that can be measured
	BreakEven   float64  `json:"break_even,omitempty"`  // nonces per second from which that is 1 % of a core; 0 if never
	ChannelWins []string `json:"channel_wins,omitzero"` // where a method with channels beat Baseline and Amortized
	Sentences   []string `json:"sentences"`             // all of this in words
}

// Conclude compares by medians. One method beats another if its median is less and the samples differ (see
// [Sample.Differs]).
func (t Trial) Conclude() Conclusion {
	c := Conclusion{ChannelWins: []string{}}
	seven := filter(t.Steady, IsOfPost)
	if len(seven) < 2 {
		c.Sentences = []string{"Fewer than two of the seven methods were measured: there is nothing to conclude."}
		return c
	}
	c.say(t.busy())
	c.say(t.winner(seven, &c))
	c.say(t.beside(c.Winner))
	c.say(channels("In steady use", "", t.Steady, &c))
	if t.Bursts != nil {
		c.say(channels(fmt.Sprintf("In bursts of %d nonces after a pause of %v", t.Length, t.Idle), "burst ", t.Bursts, &c))
	}
	c.say(t.matter(seven, &c))
	c.say(order(seven))
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
	c.Winner = name
	of := "the seven"
	if len(seven) < len(postNS) {
		of = fmt.Sprintf("the %d measured of the seven", len(seven))
	}
	base, ok := find(seven, Baseline{}.Name())
	if ok {
		c.Ratio = best.Cost.Median() / base.Cost.Median()
	}
	text := fmt.Sprintf("Of %s, %s is the cheapest: %s ns a nonce", of, name, best.Cost)
	switch {
	case !ok, name == base.Method.Name():
		rest := slices.DeleteFunc(slices.Clone(seven), func(r Row) bool { return r.Method.Name() == name })
		second, _ := least(rest, cost)
		text += fmt.Sprintf("; %s follows with %s", second.Method.Name(), second.Cost)
		if !second.Cost.Differs(best.Cost) {
			text += ", no measurable difference"
		}
	case !best.Cost.Differs(base.Cost):
		return fmt.Sprintf("Of %s, none is measurably cheaper than Baseline, %s ns a nonce; %s has the least median, %s.",
			of, base.Cost, name, best.Cost)
	default:
		text += fmt.Sprintf(", %sx Baseline's %s", screen.Ratio(c.Ratio), base.Cost)
	}
	if w := best.Method.Weakness(); w != "" {
		text += " (" + w + ")"
	}
	return text + "."
}

// beside is the sentence about the rows that are not of the post, against the winner.
func (t Trial) beside(winner string) string {
	best, _ := find(t.Steady, winner)
	var parts []string
	for _, r := range filter(t.Steady, func(m Method) bool { return !IsOfPost(m) && m.Name() != Empty{}.Name() }) {
		against := screen.Ratio(r.Cost.Median()/best.Cost.Median()) + "x"
		if !r.Cost.Differs(best.Cost) {
			against = "alike"
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s)", r.Method.Name(), r.Cost, against))
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("Beside them, in ns and against %s: %s.", winner, screen.Series(parts))
}

// contests are the figures in which a channel may win.
var contests = []struct {
	name string
	of   func(Row) Sample
}{
	{"in the mean", cost},
	{"at p50", func(r Row) Sample { return r.P50 }},
	{"at p99", func(r Row) Sample { return r.P99 }},
	{"at p99.9", func(r Row) Sample { return r.P999 }},
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
		switch {
		case !ours.Differs(theirs):
			drawn = append(drawn, text)
		case ours.Median() < theirs.Median():
			won = append(won, text)
			_, figure, _ := strings.Cut(contest.name, " ")
			c.ChannelWins = append(c.ChannelWins, prefix+strings.TrimPrefix(figure, "the "))
		default:
			lost = append(lost, text)
		}
	}
	if won == nil && lost == nil && drawn == nil {
		return ""
	}
	text := where + " no channel won"
	if won != nil {
		text = where + " a channel won " + screen.Series(won)
	}
	if lost != nil {
		text += "; the best of them lost " + screen.Series(lost)
	}
	if drawn != nil {
		text += "; there was no telling " + screen.Series(drawn)
	}
	return text + "."
}

// matter is the sentence on the rate from which the choice counts.
func (t Trial) matter(seven []Row, c *Conclusion) string {
	base, ok := find(seven, Baseline{}.Name())
	if !ok {
		return ""
	}
	if c.Winner == base.Method.Name() {
		return "No method saves anything against Baseline, so none is worth its upkeep: read when a nonce is needed."
	}
	best, _ := find(seven, c.Winner)
	was, is := base.coreTime(t.Cores), best.coreTime(t.Cores)
	saving := was.Median() - is.Median()
	beside := ""
	if empty, ok := find(t.Steady, Empty{}.Name()); ok && t.Call != "none" {
		beside = fmt.Sprintf(" beside a call that takes %s", empty.coreTime(t.Cores))
	}
	if saving <= 0 || !was.Differs(is) || !best.Cost.Differs(base.Cost) {
		return fmt.Sprintf("It does not matter here: no saving of core time against Baseline can be measured%s.", with(beside, " ns"))
	}
	c.SavingNS, c.BreakEven = saving, percent/saving
	return fmt.Sprintf("%s saves %s ns of core time a nonce%s: 1 %% of a core from %s nonces per second on, and below that nothing to care about.",
		c.Winner, screen.NS(saving), with(beside, ""), screen.Rate(c.BreakEven))
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

// postNS are the post's results in ns, on two cores of 2016 and a kernel without getrandom in the vDSO, with
// runtime.Gosched for a call.
var postNS = map[string]float64{
	"Baseline": 1120, "Channel": 1820, "Amortized": 777, "ChannelAmortized": 1290, "ChannelRoundRobin": 1310,
	"ChannelManyWriters": 1290, "ChannelAmortizedManyWriters": 932,
}

// order is the sentence that holds the order of the seven here against the post's.
func order(seven []Row) string {
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
			case !fast.Cost.Differs(slow.Cost):
				apart++
			case then > 0:
				same++
			default:
				reverse++
			}
		}
	}
	return fmt.Sprintf("From the cheapest on, the order is %s; the post's was Amortized, ChannelAmortizedManyWriters, Baseline, ChannelAmortized and ChannelManyWriters alike, ChannelRoundRobin, Channel. Of the %d pairs that differ in the post, %d stand here as there, %d the other way round, and %d can't be told apart.",
		names(byCost), same+reverse+apart, same, reverse, apart)
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
