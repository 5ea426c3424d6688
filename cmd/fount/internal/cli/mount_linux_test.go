// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build amd64 || arm64

package cli

// Real mounts. Where none can be made the tests are skipped, or fail under FOUNT_REQUIRE=fuse.

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"fount/internal/test/require"

	"golang.org/x/sys/unix"
)

// mountTest is a running fount mount.
type mountTest struct {
	cmd    *exec.Cmd
	dir    string
	stderr *strings.Builder
}

// startMount starts fount mount and returns when it serves.
func startMount(t *testing.T, dir string, flags ...string) *mountTest {
	t.Helper()
	m := &mountTest{exec.Command("fount", append([]string{"mount", dir}, flags...)...), dir, new(strings.Builder)}
	m.cmd.Stderr = m.stderr
	out, err := m.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, m.cmd.Start())
	t.Cleanup(func() {
		_ = m.cmd.Process.Kill() // if it has not ended
		_ = m.cmd.Wait()
		_ = unix.Unmount(dir, unix.MNT_DETACH)
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if want := fmt.Sprintf("random files in %s until Ctrl-C or umount %[1]s\n", dir); line != want {
		t.Fatalf("it says %q, %v, want %q", line, err, want)
	}
	return m
}

// ends sends a signal and asserts the exit status and what is on standard error.
func (m *mountTest) ends(t *testing.T, s os.Signal, status int, stderr string) {
	t.Helper()
	if s != nil {
		require.NoError(t, m.cmd.Process.Signal(s))
	}
	_ = m.cmd.Wait()
	got, said := m.cmd.ProcessState.ExitCode(), m.stderr.String()
	if got != status || !regexp.MustCompile("^"+stderr+"$").MatchString(said) {
		t.Errorf("after %v: status %d, stderr %q, want %d, %q", s, got, said, status, stderr)
	}
}

// fuseDir is a directory to mount on, where this process can mount.
func fuseDir(t *testing.T) string {
	t.Helper()
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err == nil {
		unix.Close(fd)
	}
	if err != nil || os.Geteuid() != 0 {
		require.Skip(t, "fuse", fmt.Sprintf("this needs root and /dev/fuse: %v", err))
	}
	return t.TempDir()
}

// A signal, and umount(8), end it with status 0 and an empty directory.
func TestMountEnds(t *testing.T) {
	dir := fuseDir(t)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, nil} {
		if s != nil && signal.Ignored(s) { // as under nohup
			continue
		}
		m := startMount(t, dir)
		if names, err := filepath.Glob(dir + "/*"); err != nil || len(names) != 5 {
			t.Errorf("%v %v, want five files", err, names)
		}
		if s == nil {
			require.NoError(t, unix.Unmount(dir, 0))
		}
		m.ends(t, s, 0, "")
		if names, err := os.ReadDir(dir); err != nil || len(names) != 0 {
			t.Errorf("after %v: %v %v, want an empty directory", s, names, err)
		}
	}
}

// A signal while a file is open ends the program all the same.
func TestMountEndsBusy(t *testing.T) {
	dir := fuseDir(t)
	m := startMount(t, dir)
	f, err := os.Open(dir + "/random")
	require.NoError(t, err)
	defer f.Close()
	_, err = io.ReadFull(f, make([]byte, 100))
	require.NoError(t, err)
	m.ends(t, syscall.SIGTERM, 0, fmt.Sprintf("fount mount: %s was in use: its open files give errors from now on\n", dir))
	if n, err := f.Read(make([]byte, 16)); n > 0 || err == nil {
		t.Errorf("a read after the end gave %d bytes, %v", n, err)
	}
}
