// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package require ends tests at an error, and skips those that need what not every machine has, or
// fails them if the environment variable FOUNT_REQUIRE has their word. .ci/run lists the words. It
// is not for programs.
package require

import (
	"crypto/fips140"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Names reports whether FOUNT_REQUIRE, a list with commas, has the word.
func Names(word string) bool {
	return slices.Contains(strings.Split(os.Getenv("FOUNT_REQUIRE"), ","), word)
}

// NoError ends the test if err is not nil.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Skip skips the test because something is missing, or fails it if FOUNT_REQUIRE has the word.
func Skip(t testing.TB, word, why string) {
	t.Helper()
	if Names(word) {
		t.Fatalf("FOUNT_REQUIRE has %s, and %s", word, why)
	}
	t.Skipf("%s (FOUNT_REQUIRE=%s makes this an error)", why, word)
}

// Started skips the test if the system can't start the test's own program, which an emulator runs.
func Started(t testing.TB, err error) {
	t.Helper()
	if err != nil && strings.Contains(err.Error(), "exec format error") {
		t.Skipf("this system can't execute the test binary again: %v", err)
	}
}

// FIPSOnly reports whether this process may use only what FIPS 140 approves. Else it runs the test
// again, in one that may not, and fails if that does.
func FIPSOnly(t *testing.T) bool {
	t.Helper()
	const again = "FOUNT_TEST_FIPS"
	switch {
	case fips140.Enforced():
		return true
	case os.Getenv(again) != "":
		t.Fatal("GODEBUG=fips140=only forbids nothing here")
	}
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(self, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "GODEBUG=fips140=only", again+"=1")
	out, err := cmd.CombinedOutput()
	Started(t, err)
	if strings.Contains(string(out), "incompatible with the purego build tag") {
		t.Skip("the standard library has no FIPS 140-3 mode under purego")
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("with GODEBUG=fips140=only: %v\n%s", err, out)
	}
	return false
}
