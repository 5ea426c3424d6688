// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// The server of the tests: this test binary as a process of its own, so that it can be killed, and
// so that no thread of a test waits for an answer of the same process.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"fount/cmd/fount/internal/randfs"
	"fount/internal/test/otheruser"
	"fount/internal/test/require"

	"golang.org/x/sys/unix"
)

// asServer is set where this binary is to serve and not to test: to the directory, and allowOther
// to true or false.
const (
	asServer   = "FOUNT_FUSEFS_SERVER"
	allowOther = "FOUNT_FUSEFS_ALLOW_OTHER"
)

func TestMain(m *testing.M) {
	if os.Getenv(otheruser.Variable) == "exchange" {
		exchange(os.Args[1], os.Args[2])
	}
	if dir := os.Getenv(asServer); dir != "" {
		serveAsProcess(dir, Options{AllowOther: os.Getenv(allowOther) == "true"})
	}
	os.Exit(m.Run())
}

// serveAsProcess says on standard output what happens, a line each. It ends when its standard input
// does or at SIGTERM.
func serveAsProcess(dir string, o Options) {
	end := make(chan os.Signal, 2)
	signal.Notify(end, syscall.SIGTERM)
	tree := randfs.New(randfs.Source{
		Seed:   func(b []byte) { fmt.Printf("seed %.100q\n", b) },
		Reseed: func() { fmt.Println("reseed") },
	})
	s, err := Mount(tree, dir, o)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("serves", s.Dir(), "cleared", s.Cleared())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		end <- syscall.SIGTERM
	}()
	gone := sync.OnceFunc(func() {
		fmt.Println("gone")
		os.Exit(0)
	})
	go func() {
		if err := s.Wait(); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		gone()
	}()
	<-end
	if err = s.Unmount(); errors.Is(err, ErrBusy) {
		fmt.Println("busy")
		if err = s.Abandon(); err == nil {
			select {} // until "gone" is said
		}
	}
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	gone()
}

// A server is such a process.
type server struct {
	t     testing.TB
	cmd   *exec.Cmd
	lines *bufio.Scanner
	stdin io.Closer
	dir   string
}

// need skips the test, or fails it if FOUNT_REQUIRE has the word fuse, unless the condition holds.
func need(t testing.TB, condition bool, why string) {
	t.Helper()
	if !condition {
		require.Skip(t, "fuse", why)
	}
}

// canMount skips the test where nothing can be mounted.
func canMount(t testing.TB) {
	t.Helper()
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err == nil {
		unix.Close(fd)
	}
	need(t, err == nil, fmt.Sprintf("/dev/fuse can't be opened: %v", err))
	if isRoot() {
		need(t, hasSysAdmin(), "root has no CAP_SYS_ADMIN, which mount(2) needs")
		return
	}
	_, err = findHelper()
	need(t, err == nil, "this is not root, and there is no fusermount3")
}

func hasSysAdmin() bool {
	var data [2]unix.CapUserData
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	return unix.Capget(&header, &data[0]) == nil && data[0].Effective&(1<<unix.CAP_SYS_ADMIN) != 0
}

// mountDir makes an empty directory that any user can reach, from which whatever is mounted on it
// goes with the test.
func mountDir(t testing.TB) string {
	t.Helper()
	top, err := os.MkdirTemp("", "fount-fusefs-")
	require.NoError(t, err)
	dir := filepath.Join(top, "a dir") // a space is escaped in mountinfo
	t.Cleanup(func() {
		for unix.Unmount(dir, unix.MNT_FORCE|unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW) == nil {
		}
		if !isRoot() {
			_ = runHelper("-u", "-z", "--", dir)
		}
		os.Remove(dir)
		if err := os.Remove(top); err != nil {
			t.Error(err)
		}
	})
	require.NoError(t, errors.Join(os.Chmod(top, 0o755), os.Mkdir(dir, 0o755)))
	return dir
}

// command is this binary as the server of a directory.
func command(t testing.TB, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asServer+"="+dir, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	return cmd
}

// start starts a server and returns it with the first line that it says.
func start(t testing.TB, cmd *exec.Cmd, dir string) (s *server, first string) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	s = &server{t: t, cmd: cmd, lines: bufio.NewScanner(stdout), stdin: stdin, dir: dir}
	t.Cleanup(func() {
		stdin.Close()
		for s.lines.Scan() {
		}
		_ = cmd.Wait()
	})
	return s, s.line()
}

// mounted is a server that serves.
func mounted(t testing.TB) *server {
	t.Helper()
	canMount(t)
	dir := mountDir(t)
	s, line := start(t, command(t, dir), dir)
	wantServes(t, line, dir, false)
	return s
}

// wantServes wants a server's first line to say that it serves.
func wantServes(t testing.TB, line, dir string, cleared bool) {
	t.Helper()
	if want := fmt.Sprintln("serves", dir, "cleared", cleared); line+"\n" != want {
		t.Fatalf("the server says %q, want %q", line, want)
	}
}

// line is the next line that the server says.
func (s *server) line() string {
	s.t.Helper()
	if !s.lines.Scan() {
		return "(end)"
	}
	return s.lines.Text()
}

func (s *server) wants(lines ...string) {
	s.t.Helper()
	for _, want := range lines {
		if got := s.line(); got != want {
			s.t.Errorf("the server says %q, want %q", got, want)
		}
	}
}

func (s *server) path(name string) string { return filepath.Join(s.dir, name) }

// sh runs a shell command in the directory and returns what it prints, standard error included.
func (s *server) sh(command string) (string, error) {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
