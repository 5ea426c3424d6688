// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the conclusion, on made-up figures.

package nonce

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/lab/measure"
)

// A made is the medians of one method's made-up figures: its mean, and its percentiles. CPU time is twice the mean.
type made struct {
	method         measure.Method
	mean           float64
	p50, p99, p999 float64
}

// trial makes figures of 9 runs that spread by 1 % around the medians, on two cores.
func trial(call string, figures ...made) Trial {
	return Trial{Study: Study{Call: call, Length: 1000, Idle: 10 * time.Millisecond}, Steady: rowsOf(figures, 0.01), Cores: 2}
}

func rowsOf(figures []made, spread float64) (rows []measure.Row) {
	for k, m := range figures {
		sample := func(ns float64) *measure.Sample {
			if ns == 0 {
				return nil
			}
			return turned(ns, ns*spread, k)
		}
		rows = append(rows, measure.Row{Name: m.method.Name, Weakness: m.method.Weakness, NS: sample(m.mean), CoreNS: sample(2 * m.mean), P50NS: sample(m.p50), P99NS: sample(m.p99), P999NS: sample(m.p999)})
	}
	return rows
}

func (t Trial) bursts(figures ...made) Trial {
	t.Bursts = rowsOf(figures, 0.01)
	return t
}

// sevenOf makes all seven with means in the order of Seven, and percentiles that are the mean, its double and its tenfold.
func sevenOf(means ...float64) (figures []made) {
	for i, m := range Seven(Parameters{Via: ViaGo, Capacity: 1000, Buffer: 256, Channels: 32, Writers: 32}) {
		figures = append(figures, made{m, means[i], means[i], 2 * means[i], 10 * means[i]})
	}
	return figures
}

func TestConclude(t *testing.T) {
	vdso := sevenOf(24, 150, 14, 160, 170, 180, 140)
	tail := slices.Clone(vdso)
	tail[0].p99, tail[2].p99, tail[4].p999 = 452, 1136, 100
	burst := sevenOf(250, 58, 60, 90, 170, 180, 140)
	equal := sevenOf(9000, 9010, 8990, 9005, 9000, 9000, 9000)
	noisy := trial("loopback", append(equal, made{method: Empty(), mean: 8900})...)
	busy := trial("none", vdso...)
	busy.Steady[0].CoreNS = nine(24, 0.2)
	waits := trial("loopback", sevenOf(9000, 9010, 8500, 9005, 9000, 9000, 9000)...)
	waits.Steady[0].CoreNS = nine(4000, 4)
	waits.Steady[2].CoreNS = nine(3500, 4)
	blind := trial("none", vdso...)
	for i := range blind.Steady {
		blind.Steady[i].CoreNS = nil
	}
	broken := trial("none", vdso...)
	broken.Steady[3] = measure.Failed(measure.Method{Name: broken.Steady[3].Name}, errors.New("broken"))

	for _, test := range []struct {
		name     string
		trial    Trial
		winner   string
		ratio    float64
		saving   float64
		channels []string
		says     []string // each in one of the sentences, in this order
		silent   []string // in none
	}{
		{
			name: "Amortized wins", trial: trial("none", vdso...), winner: "Amortized", ratio: 14.0 / 24, saving: 20,
			says: []string{
				"Of the seven, Amortized is the cheapest: 14.0 ns a nonce, 0.58x Baseline's 24.0 (a clone repeats up to 256 B per goroutine).",
				"In steady use no channel won; the best of them lost in the mean (ChannelAmortizedManyWriters 140, Amortized 14.0), at p50 (",
				"Amortized saves 20.0 ns of core time a nonce: 1 % of a core from 500,000 nonces per second on",
				"the order is Amortized, Baseline, ChannelAmortizedManyWriters, Channel, ChannelAmortized, ChannelRoundRobin, ChannelManyWriters; the post's, under its own conditions, was",
				// Reversed are Baseline and ChannelAmortizedManyWriters, Channel and the three behind it, and the last two.
				"Of the 20 pairs that differ in the post, 15 stand here as there, 5 the other way round, and 0 can't be told apart.",
			},
			silent: []string{"bursts", "Beside", "Other programs", "no telling", "call that"},
		},
		{
			name: "beside", winner: "Amortized", ratio: 14.0 / 24, saving: 20,
			trial: trial("none", append(slices.Clone(vdso), made{method: CryptoRand(), mean: 28}, made{method: Fount(), mean: 7}, made{method: Empty(), mean: 0.1})...),
			says:  []string{"is the cheapest", "Beside them, in ns and against Amortized: crypto/rand 28.0 (2.00x) and fount 7.0 (0.50x).", "In steady"},
		},
		{
			name: "a channel wins in the tail", trial: trial("none", tail...), winner: "Amortized", ratio: 14.0 / 24, saving: 20,
			channels: []string{"p99", "p99.9"},
			says: []string{
				"In steady use a channel won at p99 (ChannelAmortizedManyWriters 280, Baseline 452) and at p99.9 (ChannelRoundRobin 100, Amortized 140); the best of them lost in the mean (",
			},
		},
		{
			name: "a channel wins in bursts", trial: trial("none", vdso...).bursts(burst...), winner: "Amortized", ratio: 14.0 / 24, saving: 20,
			channels: []string{"burst mean", "burst p50", "burst p99", "burst p99.9"},
			says: []string{
				"In steady use no channel won",
				"In bursts of 1000 nonces after a pause of 10ms a channel won in the mean (Channel 58.0, Amortized 60.0), at p50 (Channel 58.0, Amortized 60.0)",
			},
		},
		{
			name: "Baseline wins", trial: trial("none", sevenOf(10, 150, 14, 160, 170, 180, 140)...), winner: "Baseline", ratio: 1,
			says:   []string{"Of the seven, Baseline is the cheapest: 10.0 ns a nonce; Amortized follows with 14.0.", "none is worth its upkeep"},
			silent: []string{"saves 2", "clone"},
		},
		{
			name: "a channel wins all", trial: trial("none", sevenOf(250, 58, 80, 90, 170, 180, 140)...), winner: "Channel", ratio: 58.0 / 250, saving: 384,
			channels: []string{"mean", "p50", "p99", "p99.9"},
			says: []string{"Channel is the cheapest: 58.0 ns a nonce, 0.23x Baseline's 250 (a clone repeats up to 15.6 KiB of stock).",
				"In steady use a channel won in the mean (Channel 58.0, Amortized 80.0), at p50", "Channel saves 384 ns"},
			silent: []string{"lost"},
		},
		{
			name: "noise", trial: noisy,
			says: []string{
				"Of the seven, none is measurably cheaper than Baseline, 9,000 ns a nonce; Amortized has the least median, 8,990.",
				"In steady use no channel won for sure; there was no telling in the mean (",
				"It does not matter here: no saving of core time against Baseline can be measured beside a call that takes 17,800 ns.",
				"0 stand here as there, 0 the other way round, and 20 can't be told apart",
			},
			silent: []string{"is the cheapest", "lost", "Other programs"},
		},
		{
			name: "a call that waits", trial: waits, winner: "Amortized", ratio: 8500.0 / 9000, saving: 500,
			says: []string{"Amortized saves 500 ns of core time a nonce: 1 % of a core from 20,000"}, silent: []string{"Other programs"},
		},
		{
			name: "a busy machine", trial: busy, winner: "Amortized", ratio: 14.0 / 24,
			says: []string{"Other programs ran meanwhile: Baseline got 50 % of its 2 cores.", "Of the seven"},
		},
		{
			name: "no CPU time", trial: blind, winner: "Amortized", ratio: 14.0 / 24, saving: 20,
			says: []string{"Of the seven", "Amortized saves 20.0 ns of core time"}, silent: []string{"Other programs"},
		},
		{
			name: "one is broken", trial: broken, winner: "Amortized", ratio: 14.0 / 24, saving: 20,
			says: []string{"Of the 6 measured of the seven, Amortized is the cheapest"}, silent: []string{"the order is"},
		},
		{
			name: "without Baseline", trial: trial("none", vdso[1:]...), winner: "Amortized",
			says: []string{"Of the 6 measured of the seven, Amortized is the cheapest: 14.0 ns a nonce; ChannelAmortizedManyWriters follows with 140 (", "In steady use no channel won"}, silent: []string{"Baseline", "saves"},
		},
		{
			name: "without channels", trial: trial("none", vdso[0], vdso[2]), winner: "Amortized", ratio: 14.0 / 24, saving: 20,
			says: []string{"Of the 2 measured"}, silent: []string{"In steady use"},
		},
		{
			name: "one alone", trial: trial("none", vdso[2], made{method: Fount(), mean: 7}),
			says: []string{"Fewer than two of the seven methods were measured"},
		},
		{
			name: "nothing", says: []string{"Fewer than two"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := test.trial.Conclude()
			text := strings.Join(c.Sentences, "\n")
			if c.Winner != test.winner || !about(c.Ratio, test.ratio) || !about(c.SavingNS, test.saving) {
				t.Errorf("winner %q, %vx, saving %v; want %q, %v, %v\n%s", c.Winner, c.Ratio, c.SavingNS, test.winner, test.ratio, test.saving, text)
			}
			if want := percent / c.SavingNS; c.SavingNS > 0 && c.BreakEven != want || c.SavingNS == 0 && c.BreakEven != 0 {
				t.Errorf("break-even %v, want %v", c.BreakEven, want)
			}
			if c.ChannelWins == nil || !slices.Equal(c.ChannelWins, append([]string{}, test.channels...)) {
				t.Errorf("channels won at %q, want %q\n%s", c.ChannelWins, test.channels, text)
			}
			rest := c.Sentences
			for _, part := range test.says {
				for len(rest) > 0 && !strings.Contains(rest[0], part) {
					rest = rest[1:]
				}
				if len(rest) == 0 {
					t.Errorf("no sentence, or none in its place, says %q:\n%s", part, text)
				}
			}
			for _, part := range test.silent {
				if strings.Contains(text, part) {
					t.Errorf("a sentence says %q:\n%s", part, text)
				}
			}
		})
	}
}

// The post's own figures stand as they do in the post; reversed, none does.
func TestOrder(t *testing.T) {
	var post, reversed []float64
	for _, m := range Seven(Parameters{}) {
		post = append(post, postNS[m.Name])
		reversed = append(reversed, 1e6/postNS[m.Name])
	}
	for _, test := range []struct {
		means []float64
		want  string
	}{
		{post, "20 stand here as there, 0 the other way round, and 0 can't"},
		{reversed, "0 stand here as there, 20 the other way round, and 0 can't"},
		{[]float64{5, 5, 5, 5, 5, 5, 5}, "0 stand here as there, 0 the other way round, and 20 can't"},
	} {
		rows := rowsOf(sevenOf(test.means...), 0.001)
		if got := order(rows, measure.EnterCosts(rows, rows)); !strings.Contains(got, test.want) {
			t.Errorf("%v: %s", test.means, got)
		}
	}
}

// Whatever the figures: the words hold no number that is none, and a channel's win is in the words.
func FuzzConclude(f *testing.F) {
	f.Add(24.0, 150.0, 14.0, 140.0, 0.01)
	f.Add(9000.0, 9001.0, 9002.0, 8999.0, 0.2)
	f.Fuzz(func(t *testing.T, base, channel, amortized, all, spread float64) {
		for _, x := range []float64{base, channel, amortized, all} {
			if !(x > 1e-3 && x < 1e9) {
				t.Skip("no cost that a clock can show")
			}
		}
		if !(spread >= 0 && spread < 0.5) {
			t.Skip("no spread")
		}
		figures := sevenOf(base, channel, amortized, all, all, channel, all)
		c := Trial{Study: Study{Call: noCall}, Steady: rowsOf(figures, spread), Bursts: rowsOf(figures, spread), Cores: 2}.Conclude()
		text := strings.Join(c.Sentences, " ")
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || strings.Contains(text, "%!") {
			t.Error(text)
		}
		if (len(c.ChannelWins) > 0) != strings.Contains(text, "a channel won") {
			t.Errorf("channels won at %q: %s", c.ChannelWins, text)
		}
		if c.SavingNS < 0 || math.IsInf(c.BreakEven, 0) || c.Ratio < 0 || c.Ratio > 1 {
			t.Errorf("%+v", c)
		}
	})
}
