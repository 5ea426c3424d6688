// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fount/internal/test/require"
)

const (
	boardFile = "../../deploy/grafana/fount.json"
	generator = "../../deploy/grafana/dashboard.py"

	requirements = "../../deploy/grafana/requirements.txt"
)

func readBoard(t testing.TB) board {
	t.Helper()
	b, err := parseBoard([]byte(read(t, boardFile)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The dashboard is what its generator prints.
func TestBoardIsGenerated(t *testing.T) {
	python := os.Getenv("FOUNT_PYTHON")
	if python == "" {
		python = "python3"
	}
	out, err := exec.Command(python, "-c", `import importlib.metadata; print(importlib.metadata.version("grafana-foundation-sdk"))`).CombinedOutput()
	if err != nil {
		require.Skip(t, "grafana", "no Python with grafana-foundation-sdk: "+err.Error()+": "+lastLine(out))
	}
	if has := lastLine(out); !strings.Contains(read(t, requirements), "\ngrafana-foundation-sdk=="+has+" ") {
		require.Skip(t, "grafana", "Python has grafana-foundation-sdk "+has+", and "+requirements+" wants another") // which may print another form
	}
	var stderr bytes.Buffer
	cmd := exec.Command(python, generator)
	cmd.Stderr = &stderr
	got, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	if string(got) != read(t, boardFile) {
		t.Errorf("%s does not print %s; generate it again as it says", generator, boardFile)
	}
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// A panel without a source, a description or a query would be an empty one in Grafana.
func TestBoard(t *testing.T) {
	b := readBoard(t)
	kinds := map[string]int{}
	for _, p := range b.Panels {
		kinds[p.Type]++
		if p.Title == "" || (len(p.Targets) == 0) != (p.Type == "row") {
			t.Errorf("panel %q of type %s has %d queries", p.Title, p.Type, len(p.Targets))
		}
		for _, target := range p.Targets {
			if target.LegendFormat == "" {
				t.Errorf("panel %q: %s has no legend", p.Title, target.Expr)
			}
			if query, err := expanded(target.Expr, 15*time.Second); err != nil || strings.Contains(target.Expr, "rate_interval") != strings.Contains(query, "[60000ms]") {
				t.Errorf("panel %q: %s, %v", p.Title, query, err)
			}
		}
	}
	if kinds["timeseries"] < 10 || kinds["stat"] != 4 || kinds["row"] != 3 || len(kinds) != 3 {
		t.Errorf("panels by type: %v", kinds)
	}
	if choices := b.choices(); len(choices) != 2 || strings.Contains(strings.Join(choices, ""), "label_values") {
		t.Errorf("variables: %q", choices)
	}
	if _, err := expanded("rate(x[$__range])", time.Second); err == nil {
		t.Error("an unknown variable is left in a query")
	}
}

// aSelector is the name of a metric with what it selects.
var aSelector = regexp.MustCompile(`\b(?:fount_|instance_pool:fount_|ALERTS\b)[a-z0-9_:]*(?:\{[^}]*\})?`)

// selectors are those of a query.
func selectors(query string) []string { return aSelector.FindAllString(query, -1) }

// aQuery is an indented line of Markdown, or a text between backquotes.
var aQuery = regexp.MustCompile("(?m)^    (.*)$|`([^`\n]*)`")

// queriesIn are the queries in a Markdown text.
func queriesIn(markdown string) (all []string) {
	for _, m := range aQuery.FindAllStringSubmatch(markdown, -1) {
		if query := m[1] + m[2]; len(selectors(query)) > 0 {
			all = append(all, query)
		}
	}
	return all
}

// Each row of the runbook's table of the pool has a query.
func TestRunbookAsks(t *testing.T) {
	_, section, _ := strings.Cut(read(t, runbookFile), "\n## The password pool\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := 0
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, " | "); len(cells) > 1 && cells[0] != "| symptom" {
			rows++
			if len(cells) != 5 || len(queriesIn(cells[2])) == 0 {
				t.Errorf("%d cells, and no query in the third: %s", len(cells), line)
			}
		}
	}
	if rows < 20 {
		t.Errorf("%d rows", rows)
	}
}

func TestSelectors(t *testing.T) {
	const query = `sum by (le) (rate(fount_a_bucket{a=~"fount.*"}[2m])) / instance_pool:fount_b_c:rate2m and count(ALERTS{x="y"}) > fount_d`
	want := []string{`fount_a_bucket{a=~"fount.*"}`, "instance_pool:fount_b_c:rate2m", `ALERTS{x="y"}`, "fount_d"}
	if got := selectors(query); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := queriesIn("text fount_a\n\n    fount_b > 1\n    go run\n| `fount_c` | `go` |\n"); !slices.Equal(got, []string{"fount_b > 1", "fount_c"}) {
		t.Errorf("%q", got)
	}
}
