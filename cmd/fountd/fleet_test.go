// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

// What docs/fountd.md shows of a fleet.

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

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

// Each command of the page that makes a key does, in this order, and each that serves has flags that fountd takes.
func TestFleetCommands(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "fountd.md"))
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	keys, serves := 0, 0
	for _, b := range regexp.MustCompile("(?s)\n```sh\n(.*?)\n```\n").FindAllStringSubmatch(string(page), -1) {
		for line := range strings.Lines(b[1]) {
			command, isFountd := strings.CutPrefix(strings.TrimSpace(line), "./fountd")
			if !isFountd {
				continue
			}
			command, to, piped := strings.Cut(command, " >")
			args := strings.Fields(command)
			if len(args) > 0 && args[0] == "key" {
				keys++
				out := itself(t, dir, args...)
				if piped {
					err = os.WriteFile(filepath.Join(dir, to), []byte(out), 0o600)
				}
				if err != nil || out == "" {
					t.Errorf("%s: %q, %v", line, out, err)
				}
				continue
			}
			serves++
			if out := itself(t, dir, append([]string{"config"}, args...)...); !strings.Contains(out, "nats = ") {
				t.Errorf("%s: %s", line, out)
			}
		}
	}
	if keys < 4 || serves < 5 {
		t.Errorf("%d commands make keys, and %d serve: this test reads another page than it was written for", keys, serves)
	}
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
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	start(t, "--nats", "embedded", "--nats-listen", address, "--nats-key", filepath.Join(dir, "fleet.key"), "--max-wait", "1m")
	path := filepath.Join(dir, "client.go")
	if err := os.WriteFile(path, []byte(strings.Replace(block(t, "go", `"nats://127.0.0.1:4222"`), "127.0.0.1:4222", address, 1)), 0o600); err != nil {
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
