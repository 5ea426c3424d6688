// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// postgres starts PostgreSQL until the test ends, and returns its URL.
func postgres(t *testing.T) string { return newCluster(t).url }

// A cluster is a PostgreSQL on a Unix socket in a directory of its own. It refuses to run as root, so root runs it as user 65534.
type cluster struct {
	url   string
	data  string
	start func() error
}

func newCluster(t *testing.T) *cluster {
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
	c := &cluster{url: "postgres:///postgres?user=login&host=" + url.QueryEscape(dir), data: data}
	c.start = func() error { // -w waits until it takes connections
		out, err := command("pg_ctl", "-D", data, "-w", "-l", filepath.Join(dir, "log"), "-o", "-k "+dir+" -h ''", "start").CombinedOutput()
		if err != nil {
			return fmt.Errorf("pg_ctl: %w\n%s", err, out)
		}
		return nil
	}
	if err := c.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if out, err := command("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop").CombinedOutput(); err != nil {
			t.Errorf("pg_ctl: %v\n%s", err, out)
		}
	})
	return c
}

// kill has PostgreSQL end by SIGKILL: its other processes see it.
func (c *cluster) kill(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.data, "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// After kill -9 of PostgreSQL in the middle of registrations, who was told of an account has it, and the service goes on by itself
// once PostgreSQL is back.
func TestKillPostgres(t *testing.T) {
	db := newCluster(t)
	p := launch(t, "--database", db.url, "--policy", "bcrypt,cost=4")
	var mu sync.Mutex
	var told []string
	enough, back := make(chan struct{}), make(chan struct{})
	var clients sync.WaitGroup
	for client := range 4 {
		clients.Go(func() {
			for i := 0; ; i++ {
				email := fmt.Sprintf("user%d.%d@example.org", client, i)
				status, err := p.post("/register", strings.NewReader(form(email)))
				if err != nil {
					t.Error("the service is gone too:", err)
					return
				}
				if status != http.StatusOK {
					continue
				}
				mu.Lock()
				if told = append(told, email); len(told) == 20 {
					close(enough)
				}
				mu.Unlock()
				select {
				case <-back: // and served again
					return
				default:
				}
			}
		})
	}
	<-enough
	db.kill(t)
	for end := time.Now().Add(time.Minute); ; { // until the last of the former processes has ended
		err := db.start()
		if err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	close(back)
	clients.Wait()
	for _, email := range told {
		if status := p.signIn(email); status != http.StatusOK {
			t.Errorf("%s was told of an account: %d", email, status)
		}
	}
}
