// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package mutant runs tests against changed code, by go test -overlay. Fails shows that a test finds the defect it is
// there for: it breaks one line. Run can also add files to a package, by which tests reach what it does not export.
package mutant

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A Change puts Text in the place of Old, which File must hold exactly once. With Old "" File is a new one, which holds
// what the file Text does. Files are relative to the current directory.
type Change struct{ File, Old, Text string }

// Fails requires that the tests of the package in the current directory that match the pattern run, as in
// go test -run, fail once the text old in file is replaced by text. File is relative to the current directory and must hold
// old exactly once. Tags are build tags. The test is skipped unless FOUNT_LONG is set, as each mutation is
// compiled.
func Fails(t *testing.T, file, old, text, run string, tags ...string) {
	t.Helper()
	RunFails(t, run, tags, Change{file, old, text})
}

// RunFails is Fails for several changes.
func RunFails(t *testing.T, run string, tags []string, changes ...Change) {
	t.Helper()
	out, err := Run(t, ".", run, tags, changes...)
	var failed *exec.ExitError
	last := changes[len(changes)-1]
	switch {
	case err == nil:
		t.Errorf("%s passes with %q in place of %q in %s:\n%s", run, last.Text, last.Old, last.File, out)
	case !errors.As(err, &failed) || !strings.Contains(string(out), "--- FAIL"):
		t.Errorf("%s neither passes nor fails: %v\n%s", run, err, out)
	}
}

// Run compiles the tests of the package in a directory with the changes, and returns what those print that match the
// pattern, and an error if they fail. It skips the calling test unless FOUNT_LONG is set.
func Run(t *testing.T, dir, run string, tags []string, changes ...Change) ([]byte, error) {
	t.Helper()
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("compiles a mutation (FOUNT_LONG=1 runs it)")
	}
	tmp := t.TempDir()
	replace, changed := map[string]string{}, map[string]string{}
	for _, c := range changes {
		file := whole(t, c.File)
		if c.Old == "" {
			replace[file] = whole(t, c.Text)
			continue
		}
		code, ok := changed[file]
		if !ok {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			code = string(b)
		}
		if n := strings.Count(code, c.Old); n != 1 {
			t.Fatalf("%s holds %q %d times, not once", c.File, c.Old, n)
		}
		changed[file] = strings.Replace(code, c.Old, c.Text, 1)
	}
	for file, code := range changed {
		replace[file] = filepath.Join(tmp, strconv.Itoa(len(replace))+".go")
		if err := os.WriteFile(replace[file], []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, binary := filepath.Join(tmp, "overlay.json"), filepath.Join(tmp, "mutant.test")
	list, _ := json.Marshal(map[string]any{"Replace": replace})
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "test", "-c", "-overlay", overlay, "-tags", strings.Join(tags, ","), "-o", binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the mutation does not compile: %v\n%s", err, out)
	}
	test := exec.Command(binary, "-test.run", run, "-test.timeout", "5m")
	test.Dir = dir
	return test.CombinedOutput()
}

func whole(t *testing.T, file string) string {
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
