// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountprometheus

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"fount/telemetry/internal/metrics"
)

var (
	prefixLine = regexp.MustCompile("^Names begin with `(fount_[a-z]+_)`")
	nameInText = regexp.MustCompile("`([a-z_]+)`")
	seriesLine = regexp.MustCompile(`a pool has (\d+) series and the process (\d+)`)
)

// docs/telemetry.md has a row for each metric, with its type, unit and labels, and no others.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## Prometheus\n")
	if !found {
		t.Fatal("docs/telemetry.md has no section Prometheus")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	documented := map[string]string{"fount_scheduler_lateness_seconds": "histogram, s; "}
	prefix := ""
	for line := range strings.Lines(section) {
		if m := prefixLine.FindStringSubmatch(line); m != nil {
			prefix = m[1]
		}
		cells := strings.Split(line, "|")
		if len(cells) != 8 {
			continue
		}
		for _, m := range nameInText.FindAllStringSubmatch(cells[1], -1) {
			documented[prefix+m[1]] = strings.TrimSpace(cells[2]) + "; " + strings.TrimSpace(cells[3])
		}
	}
	have := map[string]string{}
	for _, f := range metrics.Pool {
		have[f.Name] = row(f.Name, f.Kind, f.Labels)
	}
	for _, f := range metrics.Process {
		have[f.Name] = row(f.Name, f.Kind, f.Labels)
	}
	for name, want := range have {
		if documented[name] != want {
			t.Errorf("docs/telemetry.md has %s as %q; want %q", name, documented[name], want)
		}
		delete(documented, name)
	}
	for name := range documented {
		t.Errorf("docs/telemetry.md has %s, which is not registered", name)
	}

	var pool, process int
	for series := range scrapeOf(gather(t, registered(t, newPool(t, nil)))) {
		switch {
		case strings.Contains(series, `pool="`):
			pool++
		default:
			process++
		}
	}
	m := seriesLine.FindStringSubmatch(strings.Join(strings.Fields(section), " "))
	if m == nil {
		t.Fatal("docs/telemetry.md does not say how many series there are")
	}
	var wantPool, wantProcess int
	fmt.Sscan(m[1]+" "+m[2], &wantPool, &wantProcess)
	if pool > wantPool || pool < wantPool-2 || process > wantProcess { // steal and pressure are not known everywhere
		t.Errorf("a pool has %d series and the process %d; docs/telemetry.md says %d and %d", pool, process, wantPool, wantProcess)
	}
}

// row is what a table says of a metric.
func row(name string, kind metrics.Kind, labels []string) string {
	text := []string{metrics.Counter: "counter", metrics.Gauge: "gauge", metrics.Histogram: "histogram"}[kind]
	switch base := strings.TrimSuffix(name, "_total"); {
	case strings.HasSuffix(base, "_seconds"):
		text += ", s"
	case strings.HasSuffix(base, "_bytes"):
		text += ", B"
	}
	return text + "; " + strings.Join(labels, ", ")
}
