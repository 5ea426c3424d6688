// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package otheruser

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// UID is the user that attacks run as. Nothing here belongs to it.
const UID = 65534

// Dir makes a directory that every user can reach, unlike t.TempDir, and no other can write to.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(socketdir.New(t))
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	return dir
}

// Need skips the test where it can't act as another user, or fails it if FOUNT_REQUIRE has the word
// otheruser.
func Need(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		require.Skip(t, "otheruser", "only root becomes another user")
	}
	cmd := exec.Command("true")
	become(cmd)
	if err := cmd.Run(); err != nil {
		require.Skip(t, "otheruser", "nothing can be run as user 65534: "+err.Error())
	}
}

func become(cmd *exec.Cmd) {
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Credential: &syscall.Credential{Uid: UID, Gid: UID},
		Pdeathsig:  syscall.SIGKILL,
	}
}

// An Attack is a process of the other user's.
type Attack struct {
	*exec.Cmd
	lines *bufio.Scanner
}

// Start runs this test's binary again as the other user, with the variable set, and waits for its
// first line. The process is killed when the test ends.
func Start(t testing.TB, attack string, args ...string) *Attack {
	t.Helper()
	Need(t)
	a := &Attack{Cmd: exec.Command(CopySelf(t, "attack"), args...)}
	a.Env = append(os.Environ(), Variable+"="+attack)
	a.Stderr = os.Stderr
	become(a.Cmd)
	out, err := a.StdoutPipe()
	if err == nil {
		_, err = a.StdinPipe() // ends with this process
	}
	if err == nil {
		err = a.Cmd.Start()
		require.Started(t, err)
	}
	require.NoError(t, err)
	t.Cleanup(a.Stop)
	a.lines = bufio.NewScanner(out)
	a.lines.Buffer(nil, 1<<20)
	if _, err = a.Line(); err != nil {
		t.Fatalf("the attack %s said nothing: %v", attack, err)
	}
	return a
}

// Line is the next line that the attack writes.
func (a *Attack) Line() (string, error) {
	if !a.lines.Scan() {
		return "", errors.Join(io.EOF, a.lines.Err())
	}
	return a.lines.Text(), nil
}

// Stop kills the attack and waits for its end.
func (a *Attack) Stop() {
	_ = a.Process.Kill()
	_ = a.Cmd.Wait()
}

// CopySelf copies this test's binary to where every user can run it.
func CopySelf(t testing.TB, name string) (path string) {
	t.Helper()
	path = filepath.Join(Dir(t), name)
	self, err := os.Open("/proc/self/exe")
	require.NoError(t, err)
	defer self.Close()
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	require.NoError(t, err)
	_, err = io.Copy(to, self)
	require.NoError(t, errors.Join(err, to.Close()))
	return path
}
