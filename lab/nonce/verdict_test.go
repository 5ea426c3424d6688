// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the verdict, on made-up figures.

package nonce

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"fount/lab/measure"
)

// nine makes a Sample of 9 rounds around ns, some of them off by up to spread.
func nine(ns, spread float64) *measure.Sample { return measure.Of(around(ns, spread)...) }

func around(ns, spread float64) (values []float64) {
	for _, off := range []float64{0, 0.5, -0.5, 1, -1, 0.2, -0.2, 0.7, -0.7} {
		values = append(values, ns+off*spread)
	}
	return values
}

// crossed is nine in reverse order.
func crossed(ns, spread float64) *measure.Sample {
	values := around(ns, spread)
	slices.Reverse(values)
	return measure.Of(values...)
}

// times is a Sample with all values multiplied.
func times(s *measure.Sample, x float64) *measure.Sample {
	return measure.Of(measure.Times(s.Values, x)...)
}

// evidence is of a machine with two cores; two are the elapsed ns per nonce of both together.
func evidence(std, stdTwo, own, ownTwo float64) Evidence {
	return Evidence{
		Workers: []int{1, 2},
		Results: []measure.Result{
			{Method: CryptoRand(), Costs: []*measure.Sample{nine(std, std/100), nine(stdTwo, stdTwo/100)}},
			{Method: Fount(), Costs: []*measure.Sample{crossed(own, own/100), crossed(ownTwo, ownTwo/100)}},
		},
	}
}

func (e Evidence) with(m measure.Method, one, two float64) Evidence {
	e.Results = append(e.Results[:len(e.Results):len(e.Results)], measure.Result{Method: m, Costs: []*measure.Sample{nine(one, one/100), nine(two, two/100)}})
	return e
}

// about allows for the medians of differences: 1 %.
func about(got, want float64) bool { return math.Abs(got-want) <= math.Abs(want)/100+1e-9 }

func TestJudge(t *testing.T) {
	syscall := evidence(252, 130, 20, 10)
	syscall.Syscall = true
	window := evidence(48, 24, 20, 10)
	window.Window = 224
	busy := evidence(48, 24, 20, 10)
	busy.Results[0].Costs[0] = nine(48, 12)
	noisy := evidence(48, 24, 46, 23)
	for i := range noisy.Workers {
		noisy.Results[0].Costs[i] = nine(48, 12)
		noisy.Results[1].Costs[i] = crossed(46, 12)
	}
	hardly := evidence(48, 24, 19.9, 9.95).with(Strict(), 20, 10)
	for i := range hardly.Workers { // as in each round of fount
		hardly.Results[2].Costs[i] = times(hardly.Results[1].Costs[i], 20/19.9)
	}
	one := evidence(48, 48, 20, 20)
	one.Workers = []int{1}

	for _, test := range []struct {
		name      string
		evidence  Evidence
		use       string
		cores     int
		saving    float64
		breakEven float64
		says      []string // each in one of the sentences, in this order
		silent    []string // in none
	}{
		{
			name: "fount saves", evidence: evidence(48, 24, 20, 10),
			use: "fount", cores: 1, saving: 28, breakEven: 1e7 / 28.0,
			says: []string{
				"Below 360,000 nonces per second and core, stay with crypto/rand: fount would save less than 1 % of a core.",
				"Above that, fount pays: 20.0 ns a nonce instead of 48.0, a saving of 28.0 ns (",
				"in 9 rounds)",
			},
			silent: []string{"clone", "busy", "system call", "cores draw", "buffer"},
		},
		{
			name: "without the vDSO", evidence: syscall,
			use: "fount", cores: 1, saving: 232, breakEven: 1e7 / 232.0,
			says: []string{"Below 43,000 nonces", "20.0 ns a nonce instead of 252 for a system call, a saving of 232 ns"},
		},
		{
			name: "clones", evidence: window,
			use: "fount", cores: 1, saving: 28, breakEven: 1e7 / 28.0,
			says: []string{"Below", "Above", "repeat up to 224 bytes, 14 nonces, of each core: where that must not be, stay with crypto/rand"},
		},
		{
			name: "cores disturb each other", evidence: evidence(48, 40, 20, 10),
			use: "fount", cores: 1, saving: 28, breakEven: 1e7 / 28.0,
			says: []string{"Below", "Above", "While all 2 cores draw at once it is 20.0 ns of core time instead of 80.0, and the rate from which it pays 170,000."},
		},
		{
			name: "only all cores gain", evidence: evidence(20, 40, 20, 10),
			use: "fount", cores: 2, saving: 60, breakEven: 1e7 / 60.0,
			says: []string{"Below 170,000", "20.0 ns a nonce instead of 80.0 while all 2 cores draw (one alone saves nothing that can be measured), a saving of 60.0 ns"},
		},
		{
			name: "all cores gain nothing", evidence: evidence(48, 10, 20, 10),
			use: "fount", cores: 1, saving: 28, breakEven: 1e7 / 28.0,
			says: []string{"Below", "Above", "While all 2 cores draw at once no saving can be measured."},
		},
		{
			name: "one core", evidence: one,
			use: "fount", cores: 1, saving: 28, breakEven: 1e7 / 28.0,
			says: []string{"Below", "Above"}, silent: []string{"cores draw"},
		},
		{
			name: "busy machine", evidence: busy,
			use: "fount", cores: 1, saving: 28, breakEven: 1e7 / 28.0,
			says: []string{"Below", "Above", "The machine was busy meanwhile (crypto/rand took 41.8 to 54.2 ns): measure again when it is quiet."},
		},
		{
			name: "buffer costs less", evidence: evidence(48, 24, 20, 10).with(Buffered(256), 12, 6),
			use: "fount", cores: 1, saving: 28, breakEven: 1e7 / 28.0,
			says: []string{"Below", "Above", "A 256 B buffer per goroutine costs less still, 12.0 ns: a clone repeats it"},
		},
		{
			name: "buffer costs more", evidence: evidence(48, 24, 20, 10).with(Buffered(256), 27, 14),
			use: "fount", cores: 1, saving: 28, breakEven: 1e7 / 28.0,
			silent: []string{"buffer"},
		},
		{
			name: "Strict costs less than fount", evidence: evidence(78, 60, 80, 50).with(Strict(), 44, 22),
			use: "fount.Strict", cores: 1, saving: 34, breakEven: 1e7 / 34.0,
			says: []string{"fount.Strict would save", "fount.Strict pays: 44.0 ns a nonce instead of 78.0", "It asks the kernel each time", "at 80.0 ns, is not measurably cheaper"},
		},
		{
			name: "Strict costs the same as fount", evidence: evidence(48, 24, 20, 10).with(Strict(), 20, 10),
			use: "fount.Strict", cores: 1, saving: 28, breakEven: 1e7 / 28.0,
		},
		{
			name: "Strict costs hardly more than fount", evidence: hardly,
			use: "fount.Strict", cores: 1, saving: 28, breakEven: 1e7 / 28.0,
			says: []string{"at 19.9 ns, is cheaper by less than 1 %."}, silent: []string{"measurably cheaper"},
		},
		{
			name: "Strict costs more than fount", evidence: evidence(48, 24, 20, 10).with(Strict(), 44, 22),
			use: "fount", cores: 1, saving: 28, breakEven: 1e7 / 28.0,
			silent: []string{"Strict pays", "It asks"},
		},
		{
			name: "fount costs more", evidence: evidence(20, 10, 48, 24),
			use: "crypto/rand", cores: 1, saving: -28,
			says: []string{"Stay with crypto/rand. It costs 20.0 ns a nonce on this machine, fount 48.0 ns."}, silent: []string{"noise"},
		},
		{
			name: "within the noise", evidence: noisy,
			use: "crypto/rand", cores: 1, saving: 2,
			says: []string{"Stay with crypto/rand. It costs 48.0 ns a nonce on this machine, fount 46.0 ns; the difference is within the noise", "busy"},
		},
		{
			name: "the same", evidence: evidence(48, 24, 48, 24),
			use: "crypto/rand", cores: 1, saving: 0,
			says: []string{"within the noise"}, silent: []string{"busy"},
		},
		{
			name:     "certain and worthless",
			evidence: Evidence{Workers: []int{1}, Results: []measure.Result{{Method: CryptoRand(), Costs: []*measure.Sample{measure.Of(48, 48, 48, 48, 48, 48)}}, {Method: Fount(), Costs: []*measure.Sample{measure.Of(47.7, 47.7, 47.7, 47.7, 47.7, 47.7)}}}},
			use:      "crypto/rand", cores: 1, saving: 0.3,
			says: []string{"a core that made nothing but nonces would save less than 1 %"},
		},
		{
			name: "not measured", evidence: Evidence{Workers: []int{1}, Results: []measure.Result{{Method: CryptoRand(), Costs: []*measure.Sample{measure.Of(48)}}, {Method: Fount(), Err: errors.New("panic")}}},
			use:  "crypto/rand",
			says: []string{"Stay with crypto/rand: fount could not be measured, so there is nothing to compare."},
		},
		{
			name: "nothing at all", evidence: Evidence{},
			use:  "crypto/rand",
			says: []string{"crypto/rand could not be measured"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := Judge(test.evidence)
			t.Log(strings.Join(v.Sentences, " "))
			if v.Use != test.use || v.Cores != test.cores {
				t.Errorf("use %s by %d cores, want %s by %d", v.Use, v.Cores, test.use, test.cores)
			}
			if !about(v.SavingNS, test.saving) || !about(v.BreakEven, test.breakEven) {
				t.Errorf("saving %v, break-even %v; want %v, %v", v.SavingNS, v.BreakEven, test.saving, test.breakEven)
			}
			if v.LowNS > v.SavingNS || v.HighNS < v.SavingNS {
				t.Errorf("saving %v outside %v to %v", v.SavingNS, v.LowNS, v.HighNS)
			}
			rest := v.Sentences
			for _, part := range test.says {
				for len(rest) > 0 && !strings.Contains(rest[0], part) {
					rest = rest[1:]
				}
				if len(rest) == 0 {
					t.Errorf("no sentence, or none in its place, says %q", part)
				}
			}
			all := strings.Join(v.Sentences, " ")
			for _, part := range test.silent {
				if strings.Contains(all, part) {
					t.Errorf("a sentence says %q", part)
				}
			}
			if n := len(v.Sentences); n < 1 || n > 5 {
				t.Errorf("%d sentences, want 1 to 5", n)
			}
		})
	}
}

// Whatever the figures: the verdict is one of three, never for a loss, and its words hold no number that is none.
func FuzzJudge(f *testing.F) {
	f.Add(48.0, 24.0, 20.0, 10.0, 0.1, 3)
	f.Add(20.0, 10.0, 48.0, 24.0, 5.0, 9)
	f.Fuzz(func(t *testing.T, std, stdTwo, own, ownTwo, spread float64, rounds int) {
		for _, x := range []float64{std, stdTwo, own, ownTwo, spread} {
			if !(x > 1e-3 && x < 1e9) {
				t.Skip("no cost that a clock can show")
			}
		}
		rounds = max(1, rounds%10)
		e := evidence(std, stdTwo, own, ownTwo)
		e.Results[0].Costs[0] = nine(std, spread)
		for i := range e.Results {
			for j := range e.Results[i].Costs {
				e.Results[i].Costs[j] = measure.Of(e.Results[i].Costs[j].Values[:min(rounds, 9)]...)
			}
		}
		v := Judge(e)
		if v.Use != "crypto/rand" && (v.Use != "fount" || v.LowNS <= 0 || v.BreakEven <= 0) || v.Use == "crypto/rand" && v.BreakEven != 0 {
			t.Errorf("%+v", v)
		}
		if all := strings.Join(v.Sentences, " "); strings.Contains(all, "NaN") || strings.Contains(all, "Inf") {
			t.Error(all)
		}
	})
}
