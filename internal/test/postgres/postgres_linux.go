// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package postgres

import (
	"bufio"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"fount/internal/test/otheruser"
	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// A Server is a PostgreSQL that listens on a Unix socket, and on no network. It refuses to run as root, so root runs it as user
// otheruser.UID.
type Server struct {
	URL string // of its database, as its superuser

	bin, dir string
	process  *exec.Cmd
	ended    chan struct{} // closed when the process has
	t        testing.TB
}

// New makes one, which does not run. Its directory goes with the test. The test is skipped, or fails if FOUNT_REQUIRE has the word
// postgres, where PostgreSQL is not installed.
func New(t testing.TB) *Server {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		require.Skip(t, "postgres", "PostgreSQL is not installed")
	}
	dir := socketdir.New(t)
	if os.Geteuid() == 0 {
		if err := os.Chown(dir, otheruser.UID, otheruser.UID); err != nil {
			t.Fatal(err)
		}
	}
	s := &Server{URL: "postgres:///postgres?user=ada&host=" + url.QueryEscape(dir), bin: filepath.Dir(found[len(found)-1]), dir: dir, t: t}
	if out, err := s.command("initdb", "-A", "trust", "-U", "ada", "-N").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	return s
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// command is one of PostgreSQL's programs. It ends with this process, however that ends, and not by an interrupt at the terminal.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), append(args, "-D", s.data())...)
	cmd.Dir, cmd.Env = s.dir, []string{"LC_ALL=C", "HOME=" + s.dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGQUIT}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: otheruser.UID, Gid: otheruser.UID}
	}
	return cmd
}

// Start starts it until the test ends, with settings, each NAME=VALUE, and waits until it takes connections. After Kill it may be
// started again.
func (s *Server) Start(settings ...string) {
	s.t.Helper()
	args := []string{"-k", s.dir, "-h", ""}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	process, ended := s.command("postgres", args...), make(chan struct{})
	log, err := process.StderrPipe()
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.process, s.ended = process, ended
	s.t.Cleanup(func() {
		_ = process.Process.Signal(syscall.SIGQUIT) // to end at once; it may have
		<-ended
	})
	said := make(chan string)
	go func() {
		defer close(ended)
		said <- untilReady(log)
		_, _ = io.Copy(io.Discard, log) // until the last process of it has ended
		_ = process.Wait()
	}()
	if text := <-said; text != "" {
		s.t.Fatalf("postgres has ended:\n%s", text)
	}
}

// untilReady reads a log until PostgreSQL takes connections, or, if it ends before, returns what it has said.
func untilReady(log io.Reader) string {
	var said strings.Builder
	for lines := bufio.NewReader(log); ; {
		line, err := lines.ReadString('\n')
		said.WriteString(line)
		switch {
		case strings.Contains(line, "database system is ready to accept connections"):
			return ""
		case err != nil:
			return said.String() + err.Error()
		}
	}
}

// Kill kills all its processes: the first one, which stands still meanwhile, can neither start others nor end in order.
func (s *Server) Kill() {
	s.t.Helper()
	first := s.process.Process.Pid
	if err := syscall.Kill(first, syscall.SIGSTOP); err != nil {
		s.t.Fatal(err)
	}
	others := children(first)
	for _, pid := range append(others, first) {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
			s.t.Fatal(err)
		}
	}
	<-s.ended
	for _, pid := range others {
		for syscall.Kill(pid, 0) == nil { // PostgreSQL does not start while one of them is there
		}
	}
	if err := os.Remove(filepath.Join(s.data(), "postmaster.pid")); err != nil {
		s.t.Fatal(err)
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
