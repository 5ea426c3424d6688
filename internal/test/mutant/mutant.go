// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package mutant runs tests against changed code, by go test -overlay. Fails shows that a test
// finds the defect it is there for. Run can also add files to a package, by which tests reach what
// it does not export.
package mutant

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A Change puts Text in the place of Old, which File must hold exactly once. If Old is "", File is
// a new one that holds what the file Text does. Files are relative to the current directory.
type Change struct{ File, Old, Text string }

// Fails requires that the tests of the current directory's package that match run, as in go test
// -run, fail once text replaces old in file.
func Fails(t *testing.T, file, old, text, run string) {
	t.Helper()
	RunFails(t, run, nil, Change{file, old, text})
}

// RunFails is Fails for several changes and build tags.
func RunFails(t *testing.T, run string, tags []string, changes ...Change) {
	t.Helper()
	out, err := Run(t, ".", run, tags, changes...)
	if err == nil {
		t.Errorf("%s passes with %+v:\n%s", run, changes[len(changes)-1], out)
	} else if !strings.Contains(string(out), "--- FAIL") {
		t.Errorf("%s neither passes nor fails: %v\n%s", run, err, out)
	}
}

// Run runs the matching tests of the package in a directory with the changes. It returns what they
// print, and an error if they fail or do not compile. It skips the calling test unless FOUNT_LONG
// is set, as each mutation is compiled.
func Run(t *testing.T, dir, run string, tags []string, changes ...Change) ([]byte, error) {
	t.Helper()
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("compiles a mutation (FOUNT_LONG=1 runs it)")
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	replace := map[string]string{} // absolute names
	for i, c := range changes {
		file := filepath.Join(here, c.File)
		if c.Old == "" {
			replace[file] = filepath.Join(here, c.Text)
			continue
		}
		now := replace[file]
		if now == "" {
			now = file
		}
		code, err := os.ReadFile(now)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(code), c.Old); n != 1 {
			t.Fatalf("%s holds %q %d times, not once", c.File, c.Old, n)
		}
		replace[file] = filepath.Join(tmp, strconv.Itoa(i)+".go")
		write(t, replace[file], []byte(strings.Replace(string(code), c.Old, c.Text, 1)))
	}
	overlay := filepath.Join(tmp, "overlay.json")
	list, _ := json.Marshal(map[string]any{"Replace": replace})
	write(t, overlay, list)
	test := exec.Command("go", "test", "-count=1", "-vet=off", "-timeout", "5m", "-overlay", overlay,
		"-tags", strings.Join(tags, ","), "-run", run, ".")
	test.Dir = dir
	return test.CombinedOutput()
}

func write(t *testing.T, file string, data []byte) {
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
