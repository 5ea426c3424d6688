// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of docs/fount-files.service: systemd takes it, it is as closed as docs/files.md says, and its command serves.

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// unitText returns the unit, with this test's program for the installed one.
func unitText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "docs", "fount-files.service"))
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("fount")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "=/usr/local/bin/fount ", "="+program+" ")
}

// analyze has systemd-analyze look at a unit.
func analyze(t *testing.T, text string, args ...string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "fount-files.service")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("systemd-analyze", append(args, "--no-pager", file)...).CombinedOutput()
	return string(out), err
}

func TestUnit(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		require.Skip(t, "systemd", fmt.Sprintf("there is no systemd (Debian: systemd): %v", err))
	}
	unit := unitText(t)
	if out, err := analyze(t, unit, "verify"); err != nil || out != "" {
		t.Errorf("verify: %v\n%s", err, out)
	}
	misspelt := strings.Replace(unit, "RuntimeDirectory=", "RuntimeDirctory=", 1)
	if out, _ := analyze(t, misspelt, "verify"); !strings.Contains(out, "RuntimeDirctory") {
		t.Errorf("verify of a unit with a misspelt name says %q", out)
	}
}

// The exposure is that of docs/files.md, by the version of systemd that it names: others ask for other things.
func TestUnitExposure(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "docs", "files.md"))
	if err != nil {
		t.Fatal(err)
	}
	claim := regexp.MustCompile(`systemd ([0-9]+) gives it\s+an exposure of ([0-9])\.([0-9]) `)
	said := claim.FindStringSubmatch(string(text))
	if said == nil {
		t.Fatal("docs/files.md names no exposure")
	}
	version, err := exec.Command("systemd-analyze", "--version").Output()
	if err != nil || !strings.HasPrefix(string(version), "systemd "+said[1]+" ") {
		t.Skipf("the exposure was computed by systemd %s, here is %.20q, %v", said[1], version, err)
	}
	unit := unitText(t)
	threshold := "--threshold=" + strings.TrimLeft(said[2]+said[3], "0") // in tenths
	if out, err := analyze(t, unit, "security", "--offline=yes", threshold); err != nil {
		t.Errorf("the exposure is above %s.%s: %v\n%s", said[2], said[3], err, out)
	}
	open := strings.Replace(unit, "CapabilityBoundingSet=\n", "", 1)
	if _, err := analyze(t, open, "security", "--offline=yes", threshold); err == nil {
		t.Errorf("the exposure of a unit with capabilities is not above %s.%s", said[2], said[3])
	}
}

// What the unit starts serves, at the address that its comment names.
func TestUnitCommand(t *testing.T) {
	unit := unitText(t)
	start := regexp.MustCompile(`(?m)^ExecStart=\S+ serve files (.*)$`).FindStringSubmatch(unit)
	client := regexp.MustCompile(`(?m)^# +fount (rand .*--from \S+)$`).FindStringSubmatch(unit)
	if start == nil || client == nil {
		t.Fatalf("the unit has commands %q and %q", start, client)
	}
	dir := socketdir.New(t)
	inDir := func(command string) []string { return strings.Fields(strings.ReplaceAll(command, "/run/fount", dir)) }
	serveFiles(t, "", inDir(start[1])...)
	out, err := exec.Command("fount", inDir(client[1])...).CombinedOutput()
	if err != nil || !regexp.MustCompile(`^[0-9a-f]{64}\n$`).Match(out) {
		t.Errorf("%s: %v, %q", client[1], err, out)
	}
}
