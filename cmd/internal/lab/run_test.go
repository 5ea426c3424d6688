// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"fount/cmd/internal/lab/measure"
)

// spins is a method that takes so many steps a value and notes its turns.
func spins(name string, steps int, turn func(string)) measure.Method {
	return measure.Method{Name: name, Open: func() (measure.Source, error) {
		turn(name)
		return measure.Workers(func(int) measure.Worker {
			x := uint64(1)
			return measure.Loop{Do: func(n int) {
				for range n * steps {
					x = x*6364136223846793005 + 1
				}
			}}
		}), nil
	}}
}

// study compares two methods and one that fails, in two groups.
func study(turn func(string)) Study {
	return Study{Name: "made", Run: func(r *Run) {
		p := r.Plan().By(1)
		fails := measure.Method{Name: "fails", Open: func() (measure.Source, error) { return nil, errors.New("no device\nof that kind") }}
		for _, name := range []string{"one", "two"} {
			r.Compare(name, p, []measure.Method{spins(name+"base", 100, turn), spins(name+"twice", 200, turn), fails})
		}
		r.Note("nothing else")
	}}
}

// In each round each method has one turn, and groups are interleaved. What costs twice as much is
// said to; what fails is a row with its error. The result can be read back.
func TestMeasure(t *testing.T) {
	var turns []string
	r, err := study(func(name string) { turns = append(turns, name) }).Measure(t.Context(), Options{Quick: true})
	if err != nil || len(r.Groups) != 2 {
		t.Fatalf("%v, %d groups", err, len(r.Groups))
	}

	orders := map[string]bool{}
	for round := range Rounds {
		four := strings.Join(turns[4*round:4*round+4], " ")
		for _, name := range []string{"onebase", "onetwice", "twobase", "twotwice"} {
			if strings.Count(four, name) != 1 {
				t.Errorf("round %d: %s", round, four)
			}
		}
		orders[four] = true
	}
	if len(orders) < 3 {
		t.Errorf("%d rounds in %d orders", Rounds, len(orders))
	}

	for _, g := range r.Groups {
		twice := g.Rows[1]
		if v := twice.Verdict; v.Is != Above || v.Ratio.Value < 1.5 || v.Ratio.Value > 2.5 {
			t.Errorf("%s: twice the steps: %+v", g.Name, v)
		}
		fails := g.Rows[2]
		if fails.Error != "no device" || fails.Figures != nil || g.Rows[3].Name != "Empty" || len(g.Rows) != 4 {
			t.Errorf("%s: %+v", g.Name, g.Rows[2:])
		}
	}

	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode([]Result{r}); err != nil {
		t.Fatal(err)
	}
	if back, err := Read(&b); err != nil || !reflect.DeepEqual(back, []Result{r}) {
		t.Errorf("read back, %v: %+v\nwant %+v", err, back, r)
	}
}

// Only the rows that are asked for are measured, beside the base; and that none was is an error.
func TestOnly(t *testing.T) {
	r, err := study(func(string) {}).Measure(t.Context(), Options{Quick: true, Count: 1, Only: regexp.MustCompile("two: .*twice")})
	if err != nil || len(r.Groups) != 1 || len(r.Groups[0].Rows) != 3 || r.Groups[0].Rows[1].Name != "twotwice" {
		t.Errorf("%v: %+v", err, r.Groups)
	}
	none := Study{Name: "made", Run: func(r *Run) { r.Compare("one", r.Plan(), []measure.Method{spins("base", 1, func(string) {})}) }}
	if _, err := none.Measure(t.Context(), Options{Only: regexp.MustCompile("thrice")}); err == nil {
		t.Error("nothing was measured, without an error")
	}
}

// An interrupt keeps complete rounds, and groups that the study measured by itself.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	turns := 0
	s := study(func(string) {
		if turns++; turns == 7*4 {
			cancel()
		}
	})
	run := s.Run
	s.Run = func(r *Run) {
		r.Add(Group{Name: "load", Columns: []Column{{Name: "answered"}}, Rows: []Row{{Name: "all", Figures: []*Figure{Once(7)}}}})
		run(r)
	}
	r, err := s.Measure(ctx, Options{Quick: true, Count: 1000})
	if !errors.Is(err, context.Canceled) || len(r.Groups) != 3 {
		t.Fatalf("%v, %d groups", err, len(r.Groups))
	}
	for _, g := range r.Groups[1:] {
		if n := len(g.Rows[0].Figures[0].Rounds); n < 6 || n > 7 || len(g.Rows[1].Figures[0].Rounds) != n {
			t.Errorf("%s has %d rounds, want 6 or 7", g.Name, n)
		}
	}
}

// Where a study fails no row holds, of earlier rounds neither.
func TestFail(t *testing.T) {
	s := Study{Name: "made", Run: func(r *Run) {
		r.Turns(Group{Columns: []Column{{Name: "a"}}}, 9, []Way{{Row{Name: "way"}, func(round int) ([]float64, error) {
			if round == 3 {
				r.Fail(errors.New("misplaced"))
			}
			return []float64{1}, nil
		}}})
	}}
	if r, err := s.Measure(t.Context(), Options{}); err == nil || len(r.Groups) > 0 {
		t.Errorf("%v, %+v", err, r.Groups)
	}
}

// What a stranger wrote is refused where it would be read out of bounds.
func TestRead(t *testing.T) {
	const good = `[{"groups":[{"columns":[{}],"rows":[{"base":0,"figures":[{"value":1}]}]}]}]`
	if _, err := Read(strings.NewReader(good)); err != nil {
		t.Error(err)
	}
	for name, bad := range map[string]string{
		"nothing":                  "",
		"no list":                  "{}",
		"a base that is not there": strings.Replace(good, `"base":0`, `"base":1`, 1),
		"a base below 0":           strings.Replace(good, `"base":0`, `"base":-1`, 1),
		"no columns":               strings.Replace(good, `{}`, ``, 1),
		"more figures":             strings.Replace(good, `{"value":1}`, `null,null`, 1),
		"half an interval":         strings.Replace(good, `"value":1`, `"low":1`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Read(strings.NewReader(bad)); err == nil {
				t.Errorf("%s was read", bad)
			}
		})
	}
}

// Ways take turns, each as often; --only keeps what it matches with its base; failed ones end.
func TestTurns(t *testing.T) {
	turns := map[string]int{}
	s := Study{Name: "made", Run: func(r *Run) {
		way := func(name string, base int, values []float64, err error) Way {
			turn := func(int) ([]float64, error) {
				turns[name]++
				return values, err
			}
			return Way{Row: Row{Name: name, Base: base}, Turn: turn}
		}
		r.Turns(Group{Name: "g", Columns: []Column{{Name: "a", Judged: true}, {Name: "b"}}}, 9, []Way{
			way("other", 0, []float64{1, 1}, nil),
			way("base", 1, []float64{1, math.NaN()}, nil),
			way("twice", 1, []float64{2, 5}, nil),
			way("failing", 1, nil, errors.New("no device")),
		})
	}}
	r, err := s.Measure(t.Context(), Options{Only: regexp.MustCompile("twice|failing")})
	if err != nil || len(r.Groups) != 1 || len(r.Groups[0].Rows) != 3 || turns["twice"] != 9 || turns["failing"] != 1 || turns["other"] != 0 {
		t.Fatalf("%v, %+v, turns %v", err, r, turns)
	}
	base, twice, failing := r.Groups[0].Rows[0], r.Groups[0].Rows[1], r.Groups[0].Rows[2]
	if base.Base != 0 || base.Figures[1] != nil || twice.Base != 0 || twice.Figures[0].Value != 2 || twice.Figures[1].Value != 5 ||
		twice.Verdict.Is != Above || failing.Error != "no device" || failing.Figures != nil {
		t.Errorf("%+v", r.Groups[0].Rows)
	}
}

// What was computed once is one round for benchstat.
func TestBenchstat(t *testing.T) {
	g := Group{Name: "a law", Columns: []Column{{Name: "to one"}, {Name: "p", Unit: "ns/op"}}, Rows: []Row{
		{Name: "n, 2", Figures: []*Figure{Once(1.8), Of(4, 5)}}, {Name: "failed", Error: "no device"},
	}}
	var b bytes.Buffer
	if err := WriteBenchstat(&b, []Result{{Study: "made", Groups: []Group{g}}}); err != nil {
		t.Fatal(err)
	}
	const row = "BenchmarkMade/group=a_law/row=n,_2 1"
	if want := row + " 1.8 to_one 4 ns/op\n" + row + " 5 ns/op\n"; !strings.HasSuffix(b.String(), "\n"+want) {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
}
