// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// The rules of deploy/prometheus, by promtool, and their links.

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fount/internal/test/require"
)

const (
	rulesFile   = "../../deploy/prometheus/fount.rules.yml"
	casesFile   = "../../deploy/prometheus/fount.rules_test.yml"
	runbookFile = "../../docs/runbook.md"
)

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// An alert is one of the rules file, with the text between it and the next rule.
type alert struct{ name, text string }

var (
	anAlert   = regexp.MustCompile(`(?m)^ +- alert: (\w+)$`)
	aRule     = regexp.MustCompile(`(?m)^ +- (?:alert|record|name): `)
	aSeverity = regexp.MustCompile(`(?m)^ +severity: (\w+)$`)
	aSummary  = regexp.MustCompile(`(?m)^ +summary: \S`)
	aRunbook  = regexp.MustCompile(`(?m)^ +runbook_url: docs/runbook\.md#([\w-]+)$`)
	aSection  = regexp.MustCompile(`(?m)^### (.*)$`)
)

func alertsOf(rules string) (alerts []alert) {
	for _, at := range anAlert.FindAllStringSubmatchIndex(rules, -1) {
		text := rules[at[1]:]
		if next := aRule.FindStringIndex(text); next != nil {
			text = text[:next[0]]
		}
		alerts = append(alerts, alert{rules[at[2]:at[3]], text})
	}
	return alerts
}

// lacks returns what an alert does not have: a severity, a summary, a section of the runbook that names it.
func (a alert) lacks(runbook string) (what []string) {
	if m := aSeverity.FindStringSubmatch(a.text); m == nil || m[1] != "critical" && m[1] != "warning" {
		what = append(what, "severity")
	}
	if !aSummary.MatchString(a.text) {
		what = append(what, "summary")
	}
	link := aRunbook.FindStringSubmatch(a.text)
	if link == nil {
		return append(what, "link")
	}
	for _, at := range aSection.FindAllStringSubmatchIndex(runbook, -1) {
		section, _, _ := strings.Cut(runbook[at[1]:], "\n#")
		if strings.ReplaceAll(strings.ToLower(runbook[at[2]:at[3]]), " ", "-") == link[1] && strings.Contains(section, "`"+a.name+"`") {
			return what
		}
	}
	return append(what, "section "+link[1])
}

// Each alert says how severe it is and what happened, and links to a section of the runbook that is about it.
func TestAlertsLead(t *testing.T) {
	runbook := read(t, runbookFile)
	alerts := alertsOf(read(t, rulesFile))
	if len(alerts) != 7 {
		t.Errorf("%d alerts, want 7", len(alerts))
	}
	for _, a := range alerts {
		if what := a.lacks(runbook); what != nil {
			t.Errorf("%s lacks %q", a.name, what)
		}
		for _, twin := range []struct{ what, old, new string }{
			{"severity", "severity: ", "severe: "},
			{"summary", "summary: ", "summery: "},
			{"link", "docs/runbook.md#", "runbook.md#"},
			{"section gone", "docs/runbook.md#" + aRunbook.FindStringSubmatch(a.text)[1], "docs/runbook.md#gone"},
		} {
			broken := alert{a.name, strings.Replace(a.text, twin.old, twin.new, 1)}
			if what := broken.lacks(runbook); !slices.Equal(what, []string{twin.what}) {
				t.Errorf("%s with %s instead of %s lacks %q; want %q", a.name, twin.new, twin.old, what, twin.what)
			}
		}
		if other := (alert{"Fount", a.text}); len(other.lacks(runbook)) != 1 {
			t.Errorf("%s's section need not name it", a.name)
		}
	}
}

func promtool(t testing.TB, arguments ...string) (output string, ok bool) {
	t.Helper()
	program, err := exec.LookPath("promtool")
	if err != nil {
		require.Skip(t, "prometheus", err.Error())
	}
	out, err := exec.Command(program, arguments...).CombinedOutput()
	return string(out), err == nil
}

// anExpression is the expression of an alert, on one line or several.
var anExpression = regexp.MustCompile(`(?s)expr: .*?\n( +(?:for|labels):)`)

// The cases hold. Each alert has one in which it fires and one in which it does not: rules whose alerts never fire fail the first,
// rules whose alerts always fire the second.
func TestRules(t *testing.T) {
	for _, arguments := range [][]string{{"check", "config", "../../deploy/prometheus/prometheus.yml"}, {"test", "rules", casesFile}} {
		if out, ok := promtool(t, arguments...); !ok {
			t.Fatal(out)
		}
	}
	rules := read(t, rulesFile)
	for expression, failure := range map[string]string{
		"vector(0) == 1": `, time: \S+ *\n +exp:\[\n[^\]]* +\], *\n +got:\[\]`,
		"vector(1)":      `, time: \S+ *\n +exp:\[\], *\n +got:\[\n`,
	} {
		twin := rules
		for _, a := range alertsOf(rules) {
			twin = strings.Replace(twin, a.text, anExpression.ReplaceAllString(a.text, "expr: "+expression+"\n$1"), 1)
		}
		dir := t.TempDir()
		for name, text := range map[string]string{rulesFile: twin, casesFile: read(t, casesFile)} {
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out, ok := promtool(t, "test", "rules", filepath.Join(dir, filepath.Base(casesFile)))
		for _, a := range alertsOf(rules) {
			if ok || !regexp.MustCompile("alertname: "+a.name+failure).MatchString(out) {
				t.Errorf("no case fails if %s is %s:\n%s", a.name, expression, out)
			}
		}
	}
}
