// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package mutant shows that a test finds the defect it is there for: it breaks one line of the code in a copy and
// runs the test against that.
package mutant

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Fails requires that the tests of the package in the current directory that match the pattern run, as in
// go test -run, fail once the text old in file is replaced by text. File is relative to the current directory and must hold
// old exactly once. Tags are build tags. The test is skipped unless FOUNT_LONG is set, as each mutation is
// compiled.
func Fails(t *testing.T, file, old, text, run string, tags ...string) {
	t.Helper()
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("compiles a mutation (FOUNT_LONG=1 runs it)")
	}
	whole, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(code), old); n != 1 {
		t.Fatalf("%s holds %q %d times, not once", file, old, n)
	}
	dir := t.TempDir()
	changed, overlay, binary := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "mutant.test")
	replace, _ := json.Marshal(map[string]map[string]string{"Replace": {whole: changed}})
	if err := errors.Join(os.WriteFile(changed, []byte(strings.Replace(string(code), old, text, 1)), 0o600),
		os.WriteFile(overlay, replace, 0o600)); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "test", "-c", "-overlay", overlay, "-tags", strings.Join(tags, ","), "-o", binary, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the mutation does not compile: %v\n%s", err, out)
	}
	out, err := exec.Command(binary, "-test.run", run, "-test.timeout", "5m").CombinedOutput()
	var failed *exec.ExitError
	switch {
	case err == nil:
		t.Errorf("%s passes with %q in place of %q in %s:\n%s", run, text, old, file, out)
	case !errors.As(err, &failed) || !strings.Contains(string(out), "--- FAIL"):
		t.Errorf("%s neither passes nor fails: %v\n%s", run, err, out)
	}
}
