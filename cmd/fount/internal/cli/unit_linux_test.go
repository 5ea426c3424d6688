// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"bytes"
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

// services are the units of fount.
var services = []string{"fount-files.service", "fount-mount.service"}

// unitText returns a unit, with this test's program for the installed one.
func unitText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, "deploy", "systemd", name))
	require.NoError(t, err)
	program, err := exec.LookPath("fount")
	require.NoError(t, err)
	return strings.ReplaceAll(string(text), "=/usr/local/bin/fount ", "="+program+" ")
}

// Systemd knows every setting.
func TestUnits(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		require.Skip(t, "systemd", fmt.Sprintf("there is no systemd (Debian: systemd): %v", err))
	}
	for _, name := range services {
		file := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(file, []byte(unitText(t, name)), 0o600))
		verify := exec.Command("systemd-analyze", "verify", "--no-pager", "--man=no", file)
		if out, err := verify.CombinedOutput(); err != nil || bytes.Contains(out, []byte("fount")) { // not of a unit that stands beside
			t.Errorf("verify: %v\n%s", err, out)
		}
	}
}

// What the unit starts serves.
func TestUnitCommand(t *testing.T) {
	start := regexp.MustCompile(`(?m)^ExecStart=\S+ serve files (.*)$`).FindStringSubmatch(unitText(t, services[0]))
	if start == nil {
		t.Fatal("the unit starts no server")
	}
	args := strings.Fields(strings.ReplaceAll(start[1], "/run/fount", socketdir.New(t)))
	dial(t, serveFiles(t, "", args...).addr)
}

// Where systemd runs, both services are installed and started; each comes back when it is killed,
// and is gone when it is stopped.
func TestUnitsRun(t *testing.T) {
	state, _ := exec.Command("systemctl", "is-system-running").Output()
	if s := strings.TrimSpace(string(state)); os.Geteuid() != 0 || s != "running" && s != "degraded" {
		t.Skipf("this needs root, and systemd to run: it is %q", s)
	}
	run := func(line string) string {
		t.Helper()
		out, err := exec.Command("sh", "-c", line).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		return string(out)
	}
	for i, read := range []string{"fount rand 32 --from 'unix!/run/fount/files.sock' --wait", "head -c 32 /run/random/random"} {
		name := strings.Replace(services[i], "fount-", "fount-test-", 1)
		path := "/run/systemd/system/" + name
		t.Cleanup(func() {
			_ = exec.Command("sh", "-c", "systemctl stop "+name+"; rm -f "+path+"; systemctl daemon-reload").Run()
		})
		require.NoError(t, os.WriteFile(path, []byte(unitText(t, services[i])), 0o644))
		run("systemctl daemon-reload && systemctl start " + name)

		for range 2 {
			if got := run("until " + read + " >/dev/null 2>&1; do sleep 0.1; done; " + read); len(got) != 32 {
				t.Errorf("%s: %s gives %d bytes", name, read, len(got))
			}
			run("systemctl kill -s KILL " + name)
		}

		run("systemctl stop " + name)
		if out, err := exec.Command("mountpoint", "-q", "/run/random").CombinedOutput(); err == nil {
			t.Errorf("%s is stopped, and mounted: %s", name, out)
		}
	}
}
