// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// postgres starts PostgreSQL on a Unix socket in a directory of its own, until the test ends, and returns its URL. It refuses to
// run as root, so root runs it as user 65534.
func postgres(t *testing.T) string {
	t.Helper()
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this makes a cluster of PostgreSQL")
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		require.Skip(t, "postgres", "PostgreSQL is not installed")
	}
	bin, dir := filepath.Dir(found[len(found)-1]), socketdir.New(t)
	as := &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() == 0 {
		as.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	command := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir, cmd.SysProcAttr, cmd.Env = dir, as, []string{"LC_ALL=C", "HOME=" + dir}
		return cmd
	}
	data := filepath.Join(dir, "data")
	if out, err := command("initdb", "-A", "trust", "-U", "login", "-N", "-D", data).CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	// -w waits until it takes connections.
	if out, err := command("pg_ctl", "-D", data, "-w", "-l", filepath.Join(dir, "log"), "-o", "-k "+dir+" -h ''", "start").CombinedOutput(); err != nil {
		t.Fatalf("pg_ctl: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		if out, err := command("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop").CombinedOutput(); err != nil {
			t.Errorf("pg_ctl: %v\n%s", err, out)
		}
	})
	return "postgres:///postgres?user=login&host=" + url.QueryEscape(dir)
}
