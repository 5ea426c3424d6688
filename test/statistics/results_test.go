// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package statistics

// The tables and the raw file in docs/results, written on request:
//
//	FOUNT_LONG=1 go test -count=1 ./test/statistics -update-results

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

var updateResults = flag.Bool("update-results", false,
	"write docs/results/statistics.txt and the tables in statistics.md, if everything passes and nothing is skipped")

// Relative to this directory. What is before "## Results" in the first was written by hand.
var (
	tables = filepath.FromSlash("../../docs/results/statistics.md")
	raw    = filepath.FromSlash("../../docs/results/statistics.txt")
)

const heading = "\n## Results\n"

var kept struct {
	sync.Mutex
	outcomes []*outcome
}

func (o *outcome) keep() {
	kept.Lock()
	defer kept.Unlock()
	kept.outcomes = append(kept.outcomes, o)
}

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if code == 0 && *updateResults {
		if err := writeResults(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func writeResults() error {
	if len(kept.outcomes) != len(subjects) || !long() {
		return fmt.Errorf("%s is not written: %d streams were judged, want %d (set FOUNT_LONG=1, run all tests)",
			tables, len(kept.outcomes), len(subjects))
	}
	slices.SortFunc(kept.outcomes, func(a, b *outcome) int { return position(a) - position(b) })
	text, err := os.ReadFile(tables)
	if err != nil {
		return err
	}
	byHand, _, found := strings.Cut(string(text), heading)
	if !found {
		return fmt.Errorf("%s has no line %q", tables, strings.TrimSpace(heading))
	}
	var md, txt strings.Builder
	md.WriteString(byHand + heading)
	writeTables(&md)
	writeRaw(&txt)
	if err := os.WriteFile(tables, []byte(md.String()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(raw, []byte(txt.String()), 0o644)
}

// position is where a subject stands in the list.
func position(o *outcome) int {
	return slices.IndexFunc(subjects, func(s subject) bool { return s.stream == o.stream })
}

const made = "FOUNT_LONG=1 go test -count=1 ./test/statistics -update-results"

// versions are the tools'. ent and dieharder do not tell theirs; Debian does.
func versions() string {
	out, err := exec.Command("dpkg-query", "-W", "-f", "${Package} ${Version}, ",
		"ent", "rng-tools5", "dieharder").Output()
	if err != nil {
		return "tools of unknown version, "
	}
	return string(out)
}

func writeTables(w *strings.Builder) {
	first := kept.outcomes[0].evidence
	fmt.Fprintf(w, "\nMade by `%s`:\n%s%s on %s/%s. fount's mode: %s; cipher: %s.\n",
		made, versions(), runtime.Version(), runtime.GOOS, runtime.GOARCH, first.Mode, first.Cipher)
	w.WriteString("\nWhat must pass:\n")
	writeTable(w, false)
	w.WriteString("\nWhat must fail. Bold is caught:\n")
	writeTable(w, true)
	w.WriteString("\nWhere the keys came from while the samples were made:\n\n" +
		"| stream | mode | states | seeds | Generators' first keys, by node | draws on nodes 0 to 3 |\n" +
		"|---|---|--:|--:|---|---|\n")
	for _, o := range kept.outcomes {
		if e := o.evidence; o.proof != nil {
			fmt.Fprintf(w, "| %s | %s | %d | %d | %s | %s |\n",
				o.stream, e.Mode, e.States, e.Reseeds, keyed(e), list(e.Draws))
		}
	}
}

func keyed(e evidence) string {
	switch {
	case len(e.Keyed) == 0:
		return "no Generators"
	case slices.Max(e.Keyed) < 0:
		return "none: the kernel alone"
	}
	return list(e.Keyed)
}

func list[T any](values []T) string { return strings.Trim(fmt.Sprint(values), "[]") }

func writeTable(w *strings.Builder, control bool) {
	verdict := "failed 4 times in a row"
	if control {
		verdict = "FAILED"
	}
	w.WriteString("\n| stream | ent, bytes | ent, bits | rngtest | repeats | dieharder, " + verdict + " |\n" +
		"|---|--:|--:|--:|---|---|\n")
	for _, o := range kept.outcomes {
		if o.control == control {
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s |\n", o.stream,
				o.summary(entBytes), o.summary(entBits), o.summary(rngtest), o.summary(repeats), o.dieharderSummary())
		}
	}
}

func writeRaw(w *strings.Builder) {
	fmt.Fprintf(w, "%s\n%s%s on %s/%s\n", made, versions(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, o := range kept.outcomes {
		line, _ := json.Marshal(o.evidence)
		fmt.Fprintf(w, "\n=== %s %s\n", o.stream, line)
		for _, a := range o.tried {
			fmt.Fprintf(w, "\n--- %s, %s, attempt %d\n%s\n", o.stream, a.name, a.number+1, strings.TrimSpace(a.output))
		}
	}
}
