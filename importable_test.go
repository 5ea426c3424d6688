// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// What users link: no helper of tests, and not package testing, which defines flags.

import (
	"os/exec"
	"strings"
	"testing"
)

// importable are the packages that another module can import, and is meant to.
func importable(t *testing.T) (paths []string) {
	t.Helper()
	out, err := exec.Command("go", "list", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		if !strings.Contains(path, "/internal/") {
			paths = append(paths, path)
		}
	}
	return paths
}

// testers returns those of the packages that link package testing or a helper of tests.
func testers(t *testing.T, paths ...string) (guilty []string) {
	t.Helper()
	format := `{{$path := .ImportPath}}{{range .Deps}}{{$path}} {{.}}{{"\n"}}{{end}}`
	out, err := exec.Command("go", append([]string{"list", "-f", format}, paths...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		_, dep, _ := strings.Cut(strings.TrimSpace(line), " ")
		if dep == "testing" || strings.HasPrefix(dep, "fount/internal/test/") {
			guilty = append(guilty, line)
		}
	}
	return guilty
}

func TestUsersLinkNoTests(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command: ", err)
	}
	paths := importable(t)
	if len(paths) < 5 {
		t.Fatalf("only %q can be imported", paths)
	}
	if guilty := testers(t, paths...); len(guilty) > 0 {
		t.Errorf("package and what it links: %q", guilty)
	}
	for path, want := range map[string]int{"fount/internal/test/require": 1, "fount/internal/test/otheruser": 3} { // the negative controls
		if found := testers(t, path); len(found) != want {
			t.Errorf("%s links %q, want %d", path, found, want)
		}
	}
}
