// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fountotel

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"fount/password"
)

// docs/telemetry.md shows lines of the example, which is run; and says how many series there are, and how slog names what it gets.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## OpenTelemetry\n")
	if !found {
		t.Fatal("docs/telemetry.md has no section OpenTelemetry")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	rest, shown := string(example), 0
	for line := range strings.Lines(strings.SplitN(section, "The whole is", 2)[0]) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		var found bool
		if _, rest, found = strings.Cut(rest, "\t"+line+"\n"); !found {
			t.Errorf("docs/telemetry.md shows %q, which is no line of the example, or not in this order", line)
		}
		shown++
	}
	if shown < 5 {
		t.Errorf("docs/telemetry.md shows %d lines", shown)
	}

	words := strings.Join(strings.Fields(section), " ")
	var wantPool, wantProcess int
	if m := regexp.MustCompile(`A pool has (\d+) series and the process (\d+)`).FindStringSubmatch(words); m != nil {
		fmt.Sscan(m[1]+" "+m[2], &wantPool, &wantProcess)
	}
	var pool, process int
	for series := range snapshotOf(collect(t, readerOf(t, New(Options{Name: "logins"}), newPool(t, nil)))) {
		if strings.Contains(series, "pool=") {
			pool++
		} else {
			process++
		}
	}
	if pool > wantPool || pool < wantPool-2 || process > wantProcess { // steal and pressure are not known everywhere
		t.Errorf("a pool has %d series and the process %d; docs/telemetry.md says %d and %d", pool, process, wantPool, wantProcess)
	}
	for _, a := range (password.Observation{Algorithm: password.Bcrypt, Lanes: 1}).LogValue().Group() {
		if !strings.Contains(words, "`"+a.Key+"`") {
			t.Errorf("docs/telemetry.md does not name %s, which is logged", a.Key)
		}
	}
}
