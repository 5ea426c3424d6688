// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package daemon

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"net"
	"net/http"
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

// A manager is a service manager that hears what a service tells it.
type manager struct {
	*net.UnixConn
	t    *testing.T
	path string
}

func newManager(t *testing.T) manager {
	t.Helper()
	path := filepath.Join(socketdir.New(t), "n")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	conn.SetReadDeadline(time.Now().Add(time.Minute))
	return manager{conn, t, path}
}

func (m manager) hears(want string) {
	m.t.Helper()
	b := make([]byte, 1024)
	n, err := m.Read(b)
	if err != nil || !regexp.MustCompile(`^(?:`+want+`)$`).Match(b[:n]) {
		m.t.Fatalf("%q, %v; want %s", b[:n], err, want)
	}
}

// SIGTERM ends a start that waits for a file, as the signal does by itself.
func TestEndOfAStart(t *testing.T) {
	stored := filepath.Join(t.TempDir(), "stored")
	p := program(t, nil, "--socket", "", "--stored", stored)
	require.NoError(t, cmp.Or(syscall.Mkfifo(stored, 0o600), p.Start()))
	defer p.Process.Kill()
	f, err := os.OpenFile(stored, os.O_WRONLY, 0) // waits until fountd reads it
	require.NoError(t, err)
	defer f.Close()

	p.Process.Signal(syscall.SIGTERM)
	if err := p.Wait(); err == nil || err.Error() != "signal: terminated" {
		t.Error(err)
	}
}

// A pepper gets no other secret under its ID, as no password would match its hashes. A reload that
// fails for it again and again locks no more memory each time.
func TestReloadFailsAgain(t *testing.T) {
	pepper := filepath.Join(t.TempDir(), "pepper")
	write(t, pepper, "MDEyMzQ1Njc4OWFiY2RlZg==\n")
	p := start(t, nil, "--pepper", "k="+pepper)
	write(t, pepper, "MDEyMzQ1Njc4OWFiY2RlZw==\n")

	locked := map[string]bool{}
	for i := range 3 {
		p.signal(syscall.SIGHUP)
		eventually(t, "the reload has failed", func() bool { return strings.Count(p.logged(), "pepper k:47dbf11b would be k:d35dec90") == i+1 })

		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Process.Pid))
		locked[regexp.MustCompile("VmLck:.*").FindString(string(status))] = true
	}
	if len(locked) > 1 || locked[""] {
		t.Errorf("after each reload: %v", locked)
	}
}

// The service manager hears when it is ready, while it reloads, and when it stops.
func TestNotify(t *testing.T) {
	m := newManager(t)
	p := start(t, []string{"NOTIFY_SOCKET=" + m.path})
	m.hears("READY=1")
	p.signal(syscall.SIGHUP)
	m.hears(`RELOADING=1\nMONOTONIC_USEC=[0-9]+`)
	m.hears("READY=1")
	p.signal(syscall.SIGTERM)
	m.hears("STOPPING=1")
	p.end()
}

// The service manager's watchdog is fed while clients hold all connections and all workers, and
// while fountd drains. Without a limit of time it is not.
func TestWatchdog(t *testing.T) {
	t.Parallel() // it waits
	m := newManager(t)
	p := start(t, []string{"NOTIFY_SOCKET=" + m.path, "WATCHDOG_USEC=30000"}, "--max-conns", "2", "--workers", "1", "--drain", "1h")
	m.hears("READY=1")
	conn := p.hashing(200_000)
	idle, err := net.Dial("unix", p.socket)
	require.NoError(t, err)
	defer idle.Close()
	for range 10 {
		m.hears("WATCHDOG=1")
	}

	p.signal(syscall.SIGTERM)
	m.hears("STOPPING=1|WATCHDOG=1")
	m.hears("STOPPING=1|WATCHDOG=1")
	if r, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("%v, %v; want the answer", r, err)
	}
	p.end()
}

// A socket of the service manager is served in place of the usual one. Clients wait there through a
// restart, but for those whose connections are taken and send nothing for long as the server stops.
func TestActivation(t *testing.T) {
	t.Parallel() // it waits
	dir := socketdir.New(t)
	socket := filepath.Join(dir, "a.sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	require.NoError(t, err)
	defer l.Close()
	inherited, err := l.File()
	require.NoError(t, err)
	activated := func() *process {
		p := &process{t: t, dir: dir, socket: socket, ended: make(chan struct{})}
		fountd := program(t, []string{"LISTEN_FDS=1"}, "--policy", "bcrypt,cost=4", "--max-wait", "1h")
		p.Cmd = exec.Command("sh", append([]string{"-c", `LISTEN_PID=$$ exec "$0" "$@"`}, fountd.Args...)...)
		p.Env = fountd.Env
		p.ExtraFiles = []*os.File{inherited}
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

	var lost, made int64
	for _, c := range callers {
		lost += refused(c)
		made += answered(c)
	}
	if lost*100 > made {
		t.Errorf("%d calls were refused beside %d that were answered", lost, made)
	}
	if _, err := os.Stat(filepath.Join(dir, "fountd")); err == nil {
		t.Error("the usual socket is there too")
	}
}

// memoryCgroup makes a cgroup with a limit of bytes, and returns the file that takes its processes.
func memoryCgroup(t *testing.T, limit int) (processes string, err error) {
	t.Helper()
	root, file := "/sys/fs/cgroup", "memory.max"
	if _, err := os.Stat(root + "/memory"); err == nil {
		root = root + "/memory"
		file = "memory.limit_in_bytes"
	} else {
		os.WriteFile(root+"/cgroup.subtree_control", []byte("+memory"), 0)
	}

	dir, err := os.MkdirTemp(root, "fount-test-")
	if err != nil {
		return "", err
	}
	t.Cleanup(func() { os.Remove(dir) })
	bytes := fmt.Append(nil, limit)
	err = os.WriteFile(filepath.Join(dir, file), bytes, 0)
	os.WriteFile(filepath.Join(dir, "memory.memsw.limit_in_bytes"), bytes, 0) // where there is one
	return filepath.Join(dir, "cgroup.procs"), err
}

// Nothing of the process can be dumped, or read by others of its user.
func TestNoDumps(t *testing.T) {
	p := start(t, nil)
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", p.Process.Pid))
	require.NoError(t, err)
	if !regexp.MustCompile(`Max core file size +0 +0 `).Match(limits) {
		t.Errorf("%s", limits)
	}
	// A process that may be dumped owns its files in /proc; otherwise root does.
	info, err := os.Stat(fmt.Sprintf("/proc/%d/mem", p.Process.Pid))
	require.NoError(t, err)
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
	require.NoError(t, err)
	dir := t.TempDir()
	files := []string{"verify", "--no-pager", "--man=no"}
	for _, name := range []string{"fountd.service", "fountd.socket"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "deploy", "systemd", name))
		require.NoError(t, err)
		files = append(files, filepath.Join(dir, name))
		write(t, filepath.Join(dir, name), strings.ReplaceAll(string(text), "=/usr/local/bin/fountd", "="+self))
	}
	if out, err := exec.Command("systemd-analyze", files...).CombinedOutput(); err != nil || bytes.Contains(out, []byte("fount")) { // not of a unit that stands beside
		t.Errorf("verify: %v\n%s", err, out)
	}
}
