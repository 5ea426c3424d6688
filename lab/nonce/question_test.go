// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of conditions and of the questions besides that of the seven, on made-up figures.

package nonce

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"fount/lab/machine"
	"fount/lab/measure"
)

// A condition has a name only where all of it is the post's or today's, and each table and row says its own.
func TestConditions(t *testing.T) {
	for _, test := range []struct{ via, call, name string }{
		{"syscall", "gosched", "post"}, {"vdso", "none", "today"}, {"vdso", "gosched", ""}, {"syscall", "none", ""}, {"go", "gosched", ""}, {"syscall", "loopback", ""},
	} {
		c := conditionOf(test.via, test.call)
		if c.Name != test.name || IsPosts(c) != (test.name == "post") {
			t.Errorf("%s and %s are %q, want %q", test.via, test.call, c.Name, test.name)
		}
		label := Label(c, machine.KernelRandom{})
		if strings.HasPrefix(label, "The post's") != (test.name == "post") || strings.HasPrefix(label, "Today's") != (test.name == "today") || !strings.HasSuffix(label, ".") {
			t.Errorf("%s and %s: %q", test.via, test.call, label)
		}
	}
	if got := Label(conditionOf("vdso", "none"), machine.KernelRandom{VDSO: machine.No}); !strings.Contains(got, "which this one does not have") {
		t.Errorf("without getrandom in the vDSO: %q", got)
	}
	s := trial("gosched", append(sevenOf(5, 5, 5, 5, 5, 5, 5), made{method: Fount(), mean: 1})...)
	s.Via = ViaSyscall
	table := s.Table(2, 2)
	for _, m := range table.Methods {
		via := "syscall"
		if m.Name == "fount" {
			via = "own"
		}
		if m.Via != via || m.Call != "gosched" || m.ThenNS != postNS[m.Name] {
			t.Errorf("%s: via %s, call %s, then %v", m.Name, m.Via, m.Call, m.ThenNS)
		}
	}
	if text := strings.Join(table.Conclusion.Sentences, " "); !strings.Contains(text, "16 writers and its code has 32") {
		t.Errorf("nothing says where the post's text and its code differ: %s", text)
	}
	if table := s.Table(2, 64); IsPosts(table.Condition) || table.Methods[0].ThenNS != 0 {
		t.Errorf("with 64 goroutines on 2 cores the condition is %+v", table.Condition)
	}
	s.Via = ViaVDSO // the control: no figure of the post's stands beside another condition's
	table = s.Table(2, 2)
	if slices.ContainsFunc(table.Methods, func(m measure.Row) bool { return m.ThenNS != 0 }) || strings.Contains(strings.Join(table.Conclusion.Sentences, " "), "16 writers") {
		t.Error("the post's figures stand beside those of another condition")
	}
	old := Report{Via: "syscall", Call: "gosched", Report: measure.Report{Tables: make([]measure.Table, 2)}}
	old.Restore()
	if c := old.Tables[1].Condition; !IsPosts(c) {
		t.Errorf("a report of before is of %+v", c)
	}
}

// By default the post's conditions are the first, on every system.
func TestPostAndToday(t *testing.T) {
	p, now := Post(), Today()
	if p.Call != goschedCall || now.Call != noCall || p.Capacity != now.Capacity || p.Via == ViaVDSO {
		t.Errorf("%+v, %+v", p, now)
	}
	for _, via := range []*Via{p.Via, now.Via} {
		if !via.here() {
			t.Errorf("%s does not work here", via.Name)
		}
	}
}

// answers runs a question on figures by method, and returns the sentences.
func answers(q *Question, means map[string]float64) string {
	var figures []made
	s := Study{Parameters: Parameters{Via: ViaSyscall, Capacity: 1000, Buffer: 256}, Call: noCall, Question: q}
	for _, m := range s.Methods() {
		if ns, ok := means[m.Name]; ok {
			figures = append(figures, made{method: m, mean: ns})
		}
	}
	return strings.Join(Trial{Study: s, Steady: rowsOf(figures, 0.01), Cores: 2}.Conclude().Sentences, "\n")
}

func TestBuffersAnswer(t *testing.T) {
	q := Buffers([]int{16, 64, 256, 1024, 4096})
	for name, test := range map[string]struct {
		means map[string]float64
		says  []string
		not   string
	}{
		"256 is the least":          {map[string]float64{"Buffer16": 110, "Buffer64": 80, "Buffer256": 50, "Buffer1K": 60, "fount": 7}, []string{"Buffer256 has the least median, 50.0 ns a nonce.", "256 B, 50.0 ns, is still as right as any", "Beside them, fount takes 7.0."}, "no longer"},
		"256 is among the least":    {map[string]float64{"Buffer16": 110, "Buffer256": 50, "Buffer4K": 49.9}, []string{"Buffer4K has the least median, 49.9 ns a nonce, and can't be told apart from Buffer256.", "256 B, 50.0 ns, is still"}, "no longer"},
		"256 is not":                {map[string]float64{"Buffer16": 110, "Buffer256": 68, "Buffer1K": 51}, []string{"256 B is no longer the cheapest: Buffer1K saves 17.0 ns a nonce of its 68.0 (0.75x)"}, "still"},
		"without 256":               {map[string]float64{"Buffer16": 110, "Buffer1K": 51}, []string{"Buffer1K has the least"}, "256"},
		"one alone says too little": {map[string]float64{"Buffer16": 110, "fount": 7}, []string{"Fewer than two"}, "least"},
	} {
		got := answers(q, test.means)
		for _, want := range test.says {
			if !strings.Contains(got, want) {
				t.Errorf("%s: want %q in\n%s", name, want, got)
			}
		}
		if strings.Contains(got, test.not) {
			t.Errorf("%s says %q:\n%s", name, test.not, got)
		}
	}
}

func TestFeedersAnswer(t *testing.T) {
	q := Feeders([]int{1, 16, 32})
	for name, test := range map[string]struct {
		means map[string]float64
		says  []string
	}{
		"the feeder": {map[string]float64{"Feeders1": 378, "Feeders16": 510, "Feeders32": 511, "BufferedFeeder": 178, "FreeFeeder": 150, "Amortized": 20},
			[]string{"The feeder is slow: reading is 60 % of the 378 ns that Feeders1 takes; a feeder that reads nothing (FreeFeeder) leaves 150,", "A faster feeder: BufferedFeeder takes 178 ns, 0.47x Feeders1's 378.",
				"More feeders: Feeders16 takes 510 ns, 1.35x Feeders1's 378 and Feeders32 takes 511 ns, 1.35x", "Even with a feeder that reads nothing a channel costs more", "16 feeders, its code has 32: Feeders32 (511 ns) can't be told apart from Feeders16 (510)"}},
		"the channel":  {map[string]float64{"Feeders1": 378, "FreeFeeder": 300}, []string{"The channel is slow more than the feeder: reading is 21 %"}},
		"no telling":   {map[string]float64{"Feeders1": 300, "FreeFeeder": 300.1}, []string{"What reading costs can't be seen"}},
		"not measured": {map[string]float64{"Feeders1": 300}, []string{"nothing to conclude"}},
		"no feeders":   {map[string]float64{"FreeFeeder": 300}, []string{"nothing to conclude"}},
	} {
		got := answers(q, test.means)
		for _, want := range test.says {
			if !strings.Contains(got, want) {
				t.Errorf("%s: want %q in\n%s", name, want, got)
			}
		}
	}
}

// The methods of a question read as their names say.
func TestSeriesReads(t *testing.T) {
	for _, test := range []struct {
		q               *Question
		method          string
		openings, bytes int
	}{
		{Buffers([]int{16, 1024}), "Buffer16", 2, 16}, {Buffers([]int{16, 1024}), "Buffer1K", 2, 1024},
		{Feeders([]int{1, 3}), "Feeders1", 1, 16}, {Feeders([]int{1, 3}), "Feeders3", 3, 16}, {Feeders([]int{1}), bufferedFeeder, 1, 64},
	} {
		synctest.Test(t, func(t *testing.T) {
			var r register
			s := Study{Parameters: Parameters{Via: r.via(), Capacity: 10, Buffer: 64}, Question: test.q}
			i := slices.IndexFunc(s.Methods(), func(m measure.Method) bool { return m.Name == test.method })
			if i < 0 {
				t.Fatalf("no %s", test.method)
			}
			src := r.open(t, s.Methods()[i])
			drawSome(src, 500)
			src.Close()
			if r.opened != test.openings || len(r.reads) != 1 || r.reads[test.bytes] == 0 {
				t.Errorf("%s: %d openings, reads by length %v; want %d, all of %d", test.method, r.opened, r.reads, test.openings, test.bytes)
			}
		})
	}
	for _, m := range (Study{Parameters: PostParameters(), Question: Feeders([]int{1})}).Methods() {
		if m.Name != fountFeeder && m.Name != freeFeeder {
			continue
		}
		src, err := m.Open()
		if err != nil {
			t.Fatal(err)
		}
		drawn := drawSome(src, 100)
		src.Close()
		if free := drawn[0] == (Nonce{}); free != m.Control || !free && fault(drawn) != "" {
			t.Errorf("%s: %x", m.Name, drawn[0])
		}
	}
}
