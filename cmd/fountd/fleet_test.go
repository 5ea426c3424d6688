// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// What docs/fountd.md shows of a fleet.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fount/cmd/fountd/internal/brokertest"
	"fount/internal/test/require"
)

// itself runs this test's binary as fountd, in a folder.
func itself(t *testing.T, dir string, args ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "FOUNT_TEST_PROGRAM=fountd")
	var faults strings.Builder
	cmd.Stderr = &faults
	out, err := cmd.Output()
	require.Started(t, err)
	if err != nil {
		t.Errorf("fountd %q: %v, %s", args, err, &faults)
	}
	return string(out)
}

// The page's client asks the page's fleet.
func TestFleetClient(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		t.Skip("fountd's socket is for Unix")
	}
	if !require.Names("languages") {
		t.Skip("set FOUNT_REQUIRE=languages: to build a program takes seconds")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "fleet.pub"), []byte(itself(t, dir, "key", "new", "fleet.key")), 0o600); err != nil {
		t.Fatal(err)
	}
	broker := brokertest.New(t, "").URL()
	start(t, "--nats", broker, "--nats-key", filepath.Join(dir, "fleet.key"), "--max-wait", "1m")
	path := filepath.Join(dir, "client.go")
	if err := os.WriteFile(path, []byte(strings.Replace(block(t, "go", `"nats://127.0.0.1:4222"`), "nats://127.0.0.1:4222", broker, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	binary := build(t, path)
	eventually(t, "the fleet answers", func() (string, bool) { // the page gives it a second
		cmd := exec.Command(binary)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return fmt.Sprintf("%v: %s", err, out), err == nil && string(out) == "true\n"
	})
}
