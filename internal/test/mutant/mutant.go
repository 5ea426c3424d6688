// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package mutant runs tests against changed code, by go test -overlay. Fails shows that a test
// finds the defect it is there for. Run can also add files to a package, by which tests reach what
// it does not export.
package mutant

import (
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fount/internal/test/require"
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
// print, and an error if they fail or do not compile. Each time it looks whether the changes fit the
// code, so that a renaming fails the next test; then it skips the calling test unless FOUNT_LONG is
// set, as each mutation is compiled.
func Run(t *testing.T, dir, run string, tags []string, changes ...Change) ([]byte, error) {
	t.Helper()
	overlay := write(t, changes)
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("compiles a mutation (FOUNT_LONG=1 runs it)")
	}
	return command(dir, overlay, tags, "test", "-count=1", "-vet=off", "-timeout", "5m", "-run", run, ".")
}

// command runs the go command's verb in a directory with an overlay.
func command(dir, overlay string, tags []string, verb string, args ...string) ([]byte, error) {
	c := exec.Command("go", append([]string{verb, "-overlay", overlay, "-tags", strings.Join(tags, ",")}, args...)...)
	c.Dir = dir
	return c.CombinedOutput()
}

// write writes the changed files and returns the name of an overlay that has them. On a machine
// without the go command, which has no code either, it skips the test.
func write(t *testing.T, changes []Change) (overlay string) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	here, err := os.Getwd()
	require.NoError(t, err)

	tmp := t.TempDir()
	replace := map[string]string{} // absolute names
	for i, c := range changes {
		file := filepath.Join(here, c.File)
		if c.Old == "" {
			replace[file] = filepath.Join(here, c.Text)
			continue
		}
		code, err := os.ReadFile(cmp.Or(replace[file], file))
		require.NoError(t, err)
		if n := strings.Count(string(code), c.Old); n != 1 {
			t.Fatalf("%s holds %q %d times, not once", c.File, c.Old, n)
		}
		replace[file] = filepath.Join(tmp, strconv.Itoa(i)+".go")
		changed := strings.Replace(string(code), c.Old, c.Text, 1)
		require.NoError(t, os.WriteFile(replace[file], []byte(changed), 0o600))
	}
	overlay = filepath.Join(tmp, "overlay.json")
	list, _ := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, os.WriteFile(overlay, list, 0o600))
	return overlay
}
