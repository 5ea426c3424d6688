// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package statistics

// The tables, which the log shows when all is judged.

import (
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

var kept struct {
	sync.Mutex
	outcomes []*outcome
}

func (o *outcome) keep() {
	kept.Lock()
	defer kept.Unlock()
	kept.outcomes = append(kept.outcomes, o)
}

// logTables logs the outcomes, in the order of the subjects.
func logTables(t *testing.T) {
	slices.SortFunc(kept.outcomes, func(a, b *outcome) int { return position(a) - position(b) })
	var b strings.Builder
	writeTables(&b)
	t.Log(b.String())
}

// position is where a subject stands in the list.
func position(o *outcome) int {
	return slices.IndexFunc(subjects, func(s subject) bool { return s.stream == o.stream })
}

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
	fmt.Fprintf(w, "%s%s on %s/%s. fount's mode: %s; cipher: %s.\n",
		versions(), runtime.Version(), runtime.GOOS, runtime.GOARCH, first.Mode, first.Cipher)
	w.WriteString("\nWhat must pass:\n")
	writeTable(w, false)
	w.WriteString("\nWhat must fail. Bold is caught:\n")
	writeTable(w, true)
	w.WriteString("\nWhere the keys came from while the samples were made:\n\n" +
		"| stream | mode | states | seeds | draws on nodes 0 to 3 |\n" +
		"|---|---|--:|--:|---|\n")
	for _, o := range kept.outcomes {
		if e := o.evidence; o.proof != nil {
			fmt.Fprintf(w, "| %s | %s | %d | %d | %s |\n", o.stream, e.Mode, e.States, e.Reseeds, list(e.Draws))
		}
	}
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
