// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package password

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Who imports fount for random bytes gets none of this.
func TestRootDoesNotImportPassword(t *testing.T) {
	root, own := dependencies(t, "fount"), dependencies(t, "fount/password")
	for _, path := range root {
		if strings.HasPrefix(path, "fount/password") || strings.HasPrefix(path, "golang.org/x/crypto/") {
			t.Errorf("fount depends on %s", path)
		}
	}
	if len(root) < 10 || !strings.Contains(strings.Join(own, " "), "fount/password/internal/format") {
		t.Errorf("control: %d dependencies of fount, %d of fount/password", len(root), len(own))
	}
}

// And this package depends on nothing but the standard library and x/.
func TestDependencies(t *testing.T) {
	for _, path := range dependencies(t, "fount/password") {
		first, _, _ := strings.Cut(path, "/")
		if strings.Contains(first, ".") && !strings.HasPrefix(path, "golang.org/x/") {
			t.Errorf("fount/password depends on %s", path)
		}
	}
}

// There is one bcrypt: internal/blowfish. x/crypto's is for tests.
func TestOneBcrypt(t *testing.T) {
	own := dependencies(t, "fount/password")
	for _, path := range []string{"golang.org/x/crypto/blowfish", "golang.org/x/crypto/bcrypt"} {
		if slices.Contains(own, path) {
			t.Errorf("fount/password depends on %s", path)
		}
	}
	if !slices.Contains(own, "fount/internal/blowfish") || !slices.Contains(own, "golang.org/x/crypto/blake2b") {
		t.Errorf("control: the dependencies are %q", own)
	}
}

func dependencies(t *testing.T, path string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", path).Output()
	if err != nil {
		t.Skipf("go list -deps %s: %v: this test needs the go command and the checkout", path, err)
	}
	return strings.Fields(string(out))
}
