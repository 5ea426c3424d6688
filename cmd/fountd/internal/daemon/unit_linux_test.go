// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

// docs/fountd.service: systemd takes it, and it is as closed as docs/fountd.md says.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fount/cmd/fountd/internal/config"
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
	misspelt := strings.Replace(unit(t), "RuntimeDirectory=", "RuntimeDirctory=", 1)
	if out, _ := analyze(t, misspelt, "verify"); !strings.Contains(out, "RuntimeDirctory") {
		t.Errorf("verify of a unit with a misspelt name says %q", out)
	}
}

func TestUnitExposure(t *testing.T) {
	said := regexp.MustCompile(`systemd ([0-9]+) gives it an exposure of ([0-9])\.([0-9])`).FindStringSubmatch(document(t, "fountd.md"))
	if said == nil {
		t.Fatal("docs/fountd.md names no exposure")
	}
	version, err := exec.Command("systemd-analyze", "--version").Output()
	if err != nil || !strings.HasPrefix(string(version), "systemd "+said[1]+" ") {
		t.Skipf("the exposure was computed by systemd %s, here is %.20q, %v", said[1], version, err)
	}
	threshold := "--threshold=" + strings.TrimLeft(said[2]+said[3], "0") // in tenths
	if out, err := analyze(t, unit(t), "security", "--offline=yes", threshold); err != nil {
		t.Errorf("the exposure is above %s.%s: %v\n%s", said[2], said[3], err, out)
	}
	open := strings.Replace(unit(t), "CapabilityBoundingSet=\n", "", 1)
	if _, err := analyze(t, open, "security", "--offline=yes", threshold); err == nil {
		t.Errorf("the exposure of a unit with capabilities is not above %s.%s", said[2], said[3])
	}
}

// The unit's limits: of open files, for all connections of the usual settings; of memory and swap.
func TestUnitLimits(t *testing.T) {
	c, err := config.Load(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := document(t, "fountd.service")
	files := regexp.MustCompile(`\nLimitNOFILE=([0-9]+)\n`).FindStringSubmatch(text)
	if files == nil {
		t.Fatal("the unit limits no files")
	}
	if n, err := strconv.Atoi(files[1]); err != nil || n < c.MaxConns+spare+1 {
		t.Errorf("LimitNOFILE=%s; want at least %d", files[1], c.MaxConns+spare+1)
	}
	for _, line := range []string{"MemoryMax=50%", "MemorySwapMax=0"} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("the unit has no %s", line)
		}
	}
}
