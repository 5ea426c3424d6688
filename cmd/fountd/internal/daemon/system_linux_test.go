// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// The service manager hears when it is ready, while it reloads, and when it stops.
func TestNotify(t *testing.T) {
	dir := socketdir.New(t)
	path := filepath.Join(dir, "n")
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()
	manager.SetReadDeadline(time.Now().Add(time.Minute))
	hears := func(want string) {
		t.Helper()
		b := make([]byte, 1024)
		n, err := manager.Read(b)
		if err != nil || !regexp.MustCompile(`^(?:`+want+`)$`).Match(b[:n]) {
			t.Fatalf("%q, %v; want %s", b[:n], err, want)
		}
	}
	p := start(t, []string{"NOTIFY_SOCKET=" + path})
	hears("READY=1")
	p.signal(syscall.SIGHUP)
	hears(`RELOADING=1\nMONOTONIC_USEC=[0-9]+`)
	hears("READY=1")
	p.signal(syscall.SIGTERM)
	hears("STOPPING=1")
	p.end()
}

// A socket of the service manager is served in place of the usual one. Clients wait there through a
// restart, but for those whose connections are taken and send nothing for long as the server stops.
func TestActivation(t *testing.T) {
	dir := socketdir.New(t)
	socket := filepath.Join(dir, "a.sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	inherited, err := l.File()
	if err != nil {
		t.Fatal(err)
	}
	activated := func() *process {
		p := &process{t: t, dir: dir, socket: socket, ended: make(chan struct{})}
		fountd := program(t, []string{"LISTEN_FDS=1"}, "--policy", "bcrypt,cost=4", "--max-wait", "1h")
		p.Cmd = exec.Command("sh", append([]string{"-c", `LISTEN_PID=$$ exec "$0" "$@"`}, fountd.Args...)...)
		p.Cmd.Env, p.Cmd.ExtraFiles = fountd.Env, []*os.File{inherited}
		p.run()
		p.said("msg=ready")
		return p
	}
	p := activated()
	callers, stop := under(t, p.remote())
	for range 3 {
		each(t, "answered", callers, answered)
		p.signal(syscall.SIGTERM)
		if err := p.end(); err != nil {
			t.Errorf("%v: %s", err, p.logged())
		}
		p = activated()
	}
	each(t, "answered", callers, answered)
	stop()
	lost, made := int64(0), int64(0)
	for _, c := range callers {
		lost, made = lost+refused(c), made+answered(c)
	}
	t.Logf("%d calls of %d were refused", lost, made)
	if lost*100 > made {
		t.Errorf("%d calls of %d were refused", lost, made)
	}
	if _, err := os.Stat(filepath.Join(dir, "fountd")); err == nil {
		t.Error("the usual socket is there too")
	}
}

// Nothing of the process can be dumped, or read by others of its user.
func TestNoDumps(t *testing.T) {
	p := start(t, nil)
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`Max core file size +0 +0 `).Match(limits) {
		t.Errorf("%s", limits)
	}
	// A process that may be dumped owns its files in /proc; otherwise root does.
	info, err := os.Stat(fmt.Sprintf("/proc/%d/mem", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 && info.Sys().(*syscall.Stat_t).Uid != 0 {
		t.Error("the process can be dumped")
	}
}

// systemd takes fountd.service and fountd.socket, with a program that is there.
func TestUnits(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		require.Skip(t, "systemd", "there is no systemd (Debian: systemd): "+err.Error())
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := []string{"verify", "--no-pager", "--man=no"}
	for _, name := range []string{"fountd.service", "fountd.socket"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "deploy", "systemd", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.Join(dir, name))
		write(t, filepath.Join(dir, name), strings.ReplaceAll(string(text), "=/usr/local/bin/fountd", "="+self))
	}
	if out, err := exec.Command("systemd-analyze", files...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("verify: %v\n%s", err, out)
	}
}
