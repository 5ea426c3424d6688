// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

// docs/fountd.service: systemd takes it.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fount/internal/test/require"
)

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unit is the unit, with a program that is there.
func unit(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(document(t, "fountd.service"), "=/usr/local/bin/fountd", "="+self)
}

func analyze(t *testing.T, text string, args ...string) (string, error) {
	t.Helper()
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		require.Skip(t, "systemd", fmt.Sprintf("there is no systemd (Debian: systemd): %v", err))
	}
	file := filepath.Join(t.TempDir(), "fountd.service")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("systemd-analyze", append(args, "--no-pager", file)...).CombinedOutput()
	return string(out), err
}

func TestUnit(t *testing.T) {
	if out, err := analyze(t, unit(t), "verify"); err != nil || out != "" {
		t.Errorf("verify: %v\n%s", err, out)
	}
}
