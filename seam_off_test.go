// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !fount_test

package fount_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The tests in seam_test.go need a build with the tag fount_test. This one
// makes that build and runs them.
func TestSeams(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this compiles the library and its tests again, with the tag fount_test")
	}
	const target = "TestLaterReseedFails"
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command to build with: ", err)
	}
	cmd := exec.Command(goTool, "test", "-count=1", "-tags", "fount_test", "-run", "^"+target+"$", "-v", ".")
	// For this machine, also where these tests run for another under an emulator.
	cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go test -tags fount_test: %v\n%s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS: "+target+" ") { // of a name that does not exist go test runs nothing, and passes
		t.Errorf("%s did not run:\n%s", target, out)
	}
}
