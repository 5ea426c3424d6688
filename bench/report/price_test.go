// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// One thing has one price: peers.json has it, and the documents say the same.

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fount/bench/peers"
	"fount/lab/measure"
)

// claims are the sentences that name a price; the first group is the number of ns. Each must be there.
var claims = []struct {
	file, sentence string
	task           peers.Task
	peer           string
}{
	{"README.md", `A nonce in ([\d.]+) ns\.`, peers.Nonce, "fount"},
	{"README.md", `crypto/rand takes ([\d.]+) ns for the same`, peers.Nonce, "crypto/rand"},
	{"docs/results/model.txt", `A draw\s+takes ([\d.]+) ns, as measured\s+for fount.Nonce`, peers.Nonce, "fount"},
}

// excerpt is a row of doctor's table of nonces, which is a run of its own.
var excerpt = regexp.MustCompile(`(?m)^  (crypto/rand|math/rand/v2|fount|fount\.Generator|fount\.Strict)(?: \(not secret\))?  +([\d.]+)  +[\d.]+`)

// mispriced says where documents differ from what was measured.
func mispriced(r *Result, text func(file string) string) (wrong []string) {
	for _, c := range claims {
		found := regexp.MustCompile(c.sentence).FindStringSubmatch(text(c.file))
		if found == nil {
			wrong = append(wrong, fmt.Sprintf("%s has no sentence like %q", c.file, c.sentence))
			continue
		}
		_, decimals, _ := strings.Cut(found[1], ".")
		want := strconv.FormatFloat(r.cost(c.task, peer(c.peer), false).Median, 'f', len(decimals), 64)
		if found[1] != want {
			wrong = append(wrong, fmt.Sprintf("%s: %q; want %s", c.file, found[0], want))
		}
	}
	for _, row := range excerpt.FindAllStringSubmatch(text("README.md"), -1) {
		ns, err := strconv.ParseFloat(row[2], 64)
		if s := measure.Of(r.costs(peers.Nonce, peer(row[1]), false)...); err != nil || ns < s.Min() || ns > s.Max() {
			wrong = append(wrong, fmt.Sprintf("README.md: %s costs %s ns, and %v to %v in the rounds", row[1], row[2], s.Min(), s.Max()))
		}
	}
	list := checks(r)
	for line := range strings.Lines(text("docs/performance.md")) {
		if line = strings.TrimPrefix(strings.TrimSpace(line), "- "); strings.Contains(line, "; at most ") && !slices.Contains(list, line) {
			wrong = append(wrong, fmt.Sprintf("docs/performance.md: %q is no line of the checks", line))
		}
	}
	return wrong
}

func TestOnePrice(t *testing.T) {
	root := filepath.Join("..", "..")
	text := func(file string) string {
		b, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	r := from(t, filepath.Join(root, "docs", "results", "peers.json"))
	for _, wrong := range mispriced(r, text) {
		t.Error(wrong)
	}
	if n := strings.Count(text("docs/performance.md"), "; at most "); n < len(ceilings) {
		t.Errorf("docs/performance.md has %d of %d bars", n, len(ceilings))
	}
	if !excerpt.MatchString(text("README.md")) {
		t.Error("README.md shows no row of doctor's table: does the test still find them?")
	}

	for _, s := range r.Series { // the control: another run's prices
		if s.Peer == "fount" || s.Peer == "crypto/rand" {
			s.CPUNS = measure.Times(s.CPUNS, 3)
		}
	}
	wrong := strings.Join(mispriced(r, text), "\n")
	for _, want := range []string{`README.md: "A nonce in`, `README.md: "crypto/rand takes`, "model.txt: \"A draw", "README.md: fount costs", "is no line of the checks"} {
		if !strings.Contains(wrong, want) {
			t.Errorf("prices of another run, and no complaint with %q:\n%s", want, wrong)
		}
	}
}
