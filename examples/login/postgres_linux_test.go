// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// postgres starts PostgreSQL until the test ends, and returns its URL.
func postgres(t *testing.T) string {
	t.Helper()
	c := newCluster(t)
	c.start()
	return c.url
}

// A cluster is a PostgreSQL on a Unix socket in a directory of its own. It refuses to run as root, so root runs it as user 65534.
type cluster struct {
	bin, dir, url string
	as            *syscall.SysProcAttr
	t             *testing.T
}

// newCluster makes one, which does not run.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this makes a cluster of PostgreSQL")
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		require.Skip(t, "postgres", "PostgreSQL is not installed")
	}
	dir := socketdir.New(t)
	c := &cluster{bin: filepath.Dir(found[len(found)-1]), dir: dir, t: t, as: &syscall.SysProcAttr{Setpgid: true},
		url: "postgres:///postgres?user=login&host=" + url.QueryEscape(dir)}
	if os.Geteuid() == 0 {
		c.as.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	c.run("initdb", "-A", "trust", "-U", "login", "-N", "-D", c.data())
	return c
}

func (c *cluster) data() string { return filepath.Join(c.dir, "data") }

func (c *cluster) run(name string, args ...string) {
	c.t.Helper()
	cmd := exec.Command(filepath.Join(c.bin, name), args...)
	cmd.Dir, cmd.SysProcAttr, cmd.Env = c.dir, c.as, []string{"LC_ALL=C", "HOME=" + c.dir}
	if out, err := cmd.CombinedOutput(); err != nil {
		log, _ := os.ReadFile(filepath.Join(c.dir, "log"))
		c.t.Fatalf("%s: %v\n%s%s", name, err, out, log)
	}
}

// start starts it until the test ends, with settings, each NAME=VALUE, and waits until it takes connections.
func (c *cluster) start(settings ...string) {
	c.t.Helper()
	options := "-k " + c.dir + " -h ''"
	for _, s := range settings {
		options += " -c " + s
	}
	c.run("pg_ctl", "-D", c.data(), "-w", "-l", filepath.Join(c.dir, "log"), "-o", options, "start")
	c.t.Cleanup(func() {
		if c.pid() != 0 {
			c.run("pg_ctl", "-D", c.data(), "-w", "-m", "immediate", "stop")
		}
	})
}

// pid is that of the process which has started all others, or 0.
func (c *cluster) pid() int {
	text, _ := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	first, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(first)
	return pid
}

// kill kills all its processes: the first one, which stands still meanwhile, can neither start others nor end in order.
func (c *cluster) kill() {
	c.t.Helper()
	first := c.pid()
	if err := syscall.Kill(first, syscall.SIGSTOP); err != nil {
		c.t.Fatal(err)
	}
	processes := append(children(first), first)
	for _, pid := range processes {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
			c.t.Fatal(err)
		}
	}
	for _, pid := range processes {
		for syscall.Kill(pid, 0) == nil { // PostgreSQL does not start while one of them is there
		}
	}
	if err := os.Remove(filepath.Join(c.data(), "postmaster.pid")); err != nil {
		c.t.Fatal(err)
	}
}

// children returns the processes that a process has started.
func children(parent int) (all []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, _ := os.ReadFile(name)
		if _, after, _ := strings.Cut(string(text), ") "); len(after) > 2 && strings.HasPrefix(after[2:], strconv.Itoa(parent)+" ") {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			all = append(all, pid)
		}
	}
	return all
}
