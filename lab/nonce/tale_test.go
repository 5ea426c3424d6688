// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the five cases and of what is said about them.

package nonce

import (
	"encoding/binary"
	"strings"
	"testing"
)

// Every case but CryptoRead draws integers below 7919, and not always the same ones; a worker has its own instance.
func TestTale(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Tale() {
		if seen[m.Name()] || IsOfPost(m) {
			t.Errorf("%s comes twice or is of the other post", m.Name())
		}
		seen[m.Name()] = true
		src, err := m.Open()
		if err != nil {
			t.Fatalf("%s: %v", m.Name(), err)
		}
		nonces := drawSome(src, 1000)
		again := drawSome(src, 1000)
		values, same := map[uint64]bool{}, 0
		for i, n := range nonces {
			v := binary.NativeEndian.Uint64(n[:8])
			values[v] = true
			if m.Name() != "CryptoRead" && v >= below {
				t.Fatalf("%s: %d is not below %d", m.Name(), v, below)
			}
			if n == again[i] {
				same++
			}
		}
		// Of 1000 integers below 7919 about 940 are different, with a standard deviation of 7.
		if len(values) < 850 {
			t.Errorf("%s: %d different integers in 1000", m.Name(), len(values))
		}
		if same > 20 {
			t.Errorf("%s: two workers run in parallel", m.Name())
		}
		src.Close()
	}
	for _, name := range []string{"Global", "Native", "Crypto", "CryptoRead", "Seed"} {
		if ns, ok := TaleThen(name); !seen[name] || !ok || ns <= 0 {
			t.Errorf("%s: in the table %v, in the post %v", name, seen[name], ok)
		}
	}
	if _, ok := TaleThen("fount.IntN"); ok {
		t.Error("fount was in a post of 2017")
	}
}

func TestConcludeTale(t *testing.T) {
	row := func(name string, ns float64) Row {
		return Row{Method: &integers{name: name}, Cost: nine(ns, ns/100)}
	}
	all := []Row{row("Global", 8.9), row("Native", 4.3), row("Crypto", 58), row("CryptoRead", 36), row("Seed", 4.4), row("fount.IntN", 5.4)}
	got := strings.Join(ConcludeTale(all).Sentences, "\n")
	for _, part := range []string{
		"(Crypto) costs 58.0 ns an integer, 6.52x the top-level function's 8.9; in the post it was 23.0x.",
		"(CryptoRead) takes 36.0 ns, 4.04x the top level (19.5x in the post).",
		"(Seed) leaves 4.4 ns, 0.49x the top level (0.63x in the post)",
		"fount.IntN keeps secrecy and takes 5.4 ns: 0.09x Crypto, and 0.61x the top level.",
		"is Native, Seed, Global, CryptoRead, Crypto; the post's was Native, Seed, Global, CryptoRead, Crypto.",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("no sentence says %q:\n%s", part, got)
		}
	}
	for i := range all {
		some := append(append([]Row{}, all[:i]...), all[i+1:]...)
		if text := strings.Join(ConcludeTale(some).Sentences, " "); strings.Contains(text, "NaN") || strings.Contains(text, "order") != (all[i].Method.Name() == "fount.IntN") {
			t.Errorf("without %s: %s", all[i].Method.Name(), text)
		}
	}
	if c := ConcludeTale(all[1:2]); len(c.Sentences) != 1 || !strings.Contains(c.Sentences[0], "nothing to conclude") {
		t.Errorf("of one case: %q", c.Sentences)
	}
}
