// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the five cases and of what is said about them.

package source

import (
	"strings"
	"testing"

	"fount/lab/measure"
)

// draw takes 1000 integers from a worker of its own.
func draw(src measure.Source) []int {
	w := src.Worker(0).(*measure.Filler[int])
	defer w.Close()
	values := make([]int, 1000)
	w.Fill(values)
	return values
}

// Every case but CryptoRead draws integers below 7919, and not always the same ones; a worker has its own instance.
func TestMethods(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Methods() {
		if seen[m.Name] {
			t.Errorf("%s comes twice or is of the other post", m.Name)
		}
		seen[m.Name] = true
		src, err := m.Open()
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		drawn := draw(src)
		again := draw(src)
		values, same := map[int]bool{}, 0
		for i, v := range drawn {
			values[v] = true
			if m.Name != "CryptoRead" && (v < 0 || v >= below) {
				t.Fatalf("%s: %d is not below %d", m.Name, v, below)
			}
			if v == again[i] {
				same++
			}
		}
		// Of 1000 integers below 7919 about 940 are different, with a standard deviation of 7.
		if len(values) < 850 {
			t.Errorf("%s: %d different integers in 1000", m.Name, len(values))
		}
		if same > 20 {
			t.Errorf("%s: two workers run in parallel", m.Name)
		}
		src.Close()
	}
	for _, name := range []string{"Global", "Native", "Crypto", "CryptoRead", "Seed"} {
		if ns, ok := then(name); !seen[name] || !ok || ns <= 0 {
			t.Errorf("%s: in the table %v, in the post %v", name, seen[name], ok)
		}
	}
	if _, ok := then("fount.IntN"); ok {
		t.Error("fount was in a post of 2017")
	}
}

func TestConclude(t *testing.T) {
	row := func(name string, ns float64) measure.Row {
		var rounds []float64
		for _, off := range []float64{0, 0.5, -0.5, 1, -1, 0.2, -0.2, 0.7, -0.7} {
			rounds = append(rounds, ns*(1+off/100))
		}
		return measure.Row{Name: name, NS: measure.Of(rounds...)}
	}
	all := []measure.Row{row("Global", 8.9), row("Native", 4.3), row("Crypto", 58), row("CryptoRead", 36), row("Seed", 4.4), row("fount.IntN", 5.4)}
	got := strings.Join(conclude(all).Sentences, "\n")
	for _, part := range []string{
		"(Crypto) costs 58.0 ns an integer, 6.52x the top-level function's 8.9; in the post it was 23.0x.",
		"(CryptoRead) takes 36.0 ns, 4.04x the top level (19.5x in the post).",
		"That read is 62 % of Crypto, where it was 85 % in the post",
		"(Seed) leaves 4.4 ns, 0.49x the top level (0.63x in the post)",
		"fount.IntN keeps secrecy and takes 5.4 ns: 0.09x Crypto, and 0.61x the top level.",
		"is Native, Seed, Global, CryptoRead, Crypto; the post's was Native, Seed, Global, CryptoRead, Crypto.",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("no sentence says %q:\n%s", part, got)
		}
	}
	for i := range all {
		some := append(append([]measure.Row{}, all[:i]...), all[i+1:]...)
		if text := strings.Join(conclude(some).Sentences, " "); strings.Contains(text, "NaN") || strings.Contains(text, "order") != (all[i].Name == "fount.IntN") {
			t.Errorf("without %s: %s", all[i].Name, text)
		}
	}
	if c := conclude(all[1:2]); len(c.Sentences) != 1 || !strings.Contains(c.Sentences[0], "nothing to conclude") {
		t.Errorf("of one case: %q", c.Sentences)
	}
}
