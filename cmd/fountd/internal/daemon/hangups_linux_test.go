// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"fount/internal/test/socketdir"
)

// SIGTERM counts though SIGHUP after SIGHUP comes while a reload takes long: who opens a file of which another process has a lease
// waits until that gives it up, and the kernel tells that process by SIGIO that somebody does (fcntl(2)).
func TestTermAfterHangups(t *testing.T) {
	dir := socketdir.New(t)
	file := filepath.Join(dir, "fountd.toml")
	if err := os.WriteFile(file, []byte("policy = \"bcrypt,cost=4\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startIn(t, dir, nil, "--config", file)
	opens := make(chan os.Signal, 1)
	signal.Notify(opens, unix.SIGIO)
	defer signal.Stop(opens)
	slow, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close() // gives the lease up, too
	if _, err := unix.FcntlInt(slow.Fd(), unix.F_SETLEASE, unix.F_WRLCK); err != nil {
		t.Skipf("%s is on a file system without leases: %v", file, err)
	}
	p.signal(syscall.SIGHUP)
	<-opens
	for range 20 { // those that come faster than they are taken become one
		p.signal(syscall.SIGHUP)
		p.takes(syscall.SIGHUP)
	}
	p.signal(syscall.SIGTERM)
	p.takes(syscall.SIGTERM)
	if _, err := unix.FcntlInt(slow.Fd(), unix.F_SETLEASE, unix.F_UNLCK); err != nil {
		t.Error(err)
	}
	if err := p.end(); err != nil || !strings.Contains(p.logged(), "msg=drained") {
		t.Errorf("%v: %s", err, p.logged())
	}
}

// pending matches the signals that a process has not taken, as bits from that of signal 1 (proc(5)).
var pending = regexp.MustCompile(`(?m)^ShdPnd:\s+([0-9a-f]+)$`)

// takes waits until the process has taken a signal.
func (p *process) takes(s syscall.Signal) {
	p.t.Helper()
	eventually(p.t, fmt.Sprintf("%v is taken", s), func() bool {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
		found := pending.FindSubmatch(status)
		if err != nil || found == nil {
			p.t.Fatalf("%v: no ShdPnd in %q", err, status)
		}
		bits, err := strconv.ParseUint(string(found[1]), 16, 64)
		if err != nil {
			p.t.Fatal(err)
		}
		return bits>>(s-1)&1 == 0
	})
}
