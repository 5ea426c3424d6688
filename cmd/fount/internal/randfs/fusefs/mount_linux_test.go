// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// The beginning and the end of a mount.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"fount/internal/test/otheruser"
	"fount/internal/test/require"

	"golang.org/x/sys/unix"
)

// isPlain asserts that nothing is mounted.
func isPlain(t *testing.T, dir string) {
	t.Helper()
	p, at, err := look(dir)
	if err != nil || at != nil {
		t.Errorf("at %s: %v, %v, want nothing", dir, at, err)
	}
	if err == nil {
		p.close()
	}
}

// The server is killed while four read: each gets an error. A second clears the mount and serves.
func TestKill(t *testing.T) {
	s := mounted(t)
	const readers = 4
	ended := make(chan error)
	for range readers {
		f, err := os.Open(s.path("random"))
		require.NoError(t, err)
		defer f.Close()
		if _, err := io.ReadFull(f, make([]byte, 1<<20)); err != nil { // it is at work
			t.Fatal(err)
		}
		go func() {
			_, err := io.Copy(io.Discard, f)
			ended <- err
		}()
	}

	require.NoError(t, s.cmd.Process.Kill())
	for range readers {
		if err := <-ended; !errors.Is(err, unix.ENOTCONN) && !errors.Is(err, unix.ECONNABORTED) {
			t.Errorf("a reader ends with %v", err)
		}
	}

	if _, err := os.ReadDir(s.dir); err == nil {
		t.Fatal("the dead mount can be listed")
	}
	second, line := start(t, command(t, s.dir), s.dir)
	wantServes(t, line, s.dir, true)
	if out, err := second.sh("head -c 16384 random | wc -c"); err != nil || out != "16384\n" {
		t.Errorf("%v, %q", err, out)
	}
}

// A dead mount that is not ours is left alone and explained.
func TestDeadMountOfAnother(t *testing.T) {
	canMount(t)
	need(t, isRoot(), "only root makes a dead mount of another type")
	dir := mountDir(t)
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	require.NoError(t, err)
	err = unix.Mount("x", dir, "fuse.x", 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fd))
	unix.Close(fd)
	require.NoError(t, err)
	_, line := start(t, command(t, dir), dir)
	want := fmt.Sprintf("error %s has a dead mount of fuse.x; clear it: fusermount3 -u -z %[1]s, or as root "+
		"umount -l %[1]s", dir)
	if line != want {
		t.Errorf("%q, want %q", line, want)
	}
}

// What others mount on top stays, with its data, and the server's error names it.
func TestCovered(t *testing.T) {
	s := mounted(t)
	need(t, isRoot(), "only root mounts a tmpfs")
	require.NoError(t, unix.Mount("theirs", s.dir, "tmpfs", 0, ""))
	require.NoError(t, os.WriteFile(s.path("data"), []byte("data"), 0o600))
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	s.wants(fmt.Sprintf("error %s has another mount on top, theirs of type tmpfs: umount that first, then umount %[1]s", s.dir), "(end)")
	if b, err := os.ReadFile(s.path("data")); err != nil || string(b) != "data" {
		t.Errorf("what was on top has %q, %v", b, err)
	}
}

// A copy of the mount elsewhere, as a container has it, does not hold up the end of the server, and
// what others mount where it was stays.
func TestCopied(t *testing.T) {
	need(t, isRoot(), "only root binds a mount")
	for _, gone := range []bool{false, true} {
		s, bound := mounted(t), mountDir(t)
		require.NoError(t, unix.Mount(s.dir, bound, "", unix.MS_BIND, ""))
		if gone {
			require.NoError(t, errors.Join(unix.Unmount(s.dir, 0), unix.Mount("theirs", s.dir, "tmpfs", 0, "")))
		}
		require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
		s.wants("gone", "(end)")
		if _, at, err := look(s.dir); err != nil || (at != nil) != gone {
			t.Errorf("where it was is %v, %v; another's mount there: %v", at, err, gone)
		}
		if _, err := os.ReadDir(bound); !errors.Is(err, unix.ENOTCONN) {
			t.Errorf("the copy of an ended server: %v", err)
		}
	}
}

// Of two that mount at once one serves; the other is refused, as a later one is, by a link.
func TestMountedTwice(t *testing.T) {
	canMount(t)
	for range 5 {
		dir := mountDir(t)
		lines := make(chan string, 2)
		var servers [2]*server
		var both sync.WaitGroup
		for i := range servers {
			both.Go(func() {
				var line string
				servers[i], line = start(t, command(t, dir), dir)
				lines <- line
			})
		}

		both.Wait()
		link := filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(dir, link))
		_, third := start(t, command(t, link), link)

		got := []string{third, <-lines, <-lines}
		slices.Sort(got)
		refused := fmt.Sprintf("error %s serves random files already; umount %[1]s ends that", dir)
		want := []string{refused, refused, "serves " + dir + " cleared false"}
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
		if out, err := exec.Command("head", "-c", "32", filepath.Join(dir, "random")).Output(); err != nil || len(out) != 32 {
			t.Errorf("%d bytes, %v", len(out), err)
		}
	}
}

// A mount that was aborted ends its server with an error, so that a service is started again.
func TestForced(t *testing.T) {
	s := mounted(t)
	need(t, isRoot(), "only root aborts a mount")
	f, err := os.Open(s.path("random"))
	require.NoError(t, err)
	defer f.Close()
	_ = exec.Command("umount", "-f", s.dir).Run() // busy
	s.wants(fmt.Sprintf("error %s was aborted, as by umount -f, and its files give errors: umount %[1]s", s.dir), "(end)")
}

// A user who is not root mounts through fusermount3, and nobody else sees the files, root included.
func TestNotRoot(t *testing.T) {
	canMount(t)
	need(t, isRoot(), "only root becomes another user")
	_, err := findHelper()
	need(t, err == nil, "fusermount3 is missing (Debian: fuse3)")
	info, err := os.Stat("/dev/fuse")
	need(t, err == nil && info.Mode().Perm() == 0o666, "/dev/fuse has not the mode 0666 that udev gives it")
	const nobody = 65534
	dir := mountDir(t)
	self := otheruser.CopySelf(t, "fusefs.test")
	asNobody := func() (*server, string) {
		cmd := command(t, dir)
		cmd.Path, cmd.Args = self, []string{self}
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		return start(t, cmd, dir)
	}
	_, line := asNobody()
	if !strings.HasPrefix(line, "error fusermount3: user has no write access to mountpoint") {
		t.Errorf("in root's directory: %q, want no write access", line)
	}
	require.NoError(t, os.Chown(dir, nobody, nobody))
	var s *server
	s, line = asNobody()
	wantServes(t, line, dir, false)
	if _, err := os.ReadFile(s.path("ctl")); err == nil {
		t.Error("root can use the mount of another who did not allow it")
	}

	read := func() error {
		cmd := exec.Command("head", "-c", "70000", s.path("random"))
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		out, err := cmd.Output()
		if err == nil && len(out) != 70000 {
			err = fmt.Errorf("%d bytes", len(out))
		}
		return err
	}
	if err := read(); err != nil {
		t.Errorf("who mounted reads: %v", err)
	}
	require.NoError(t, s.cmd.Process.Kill())
	s.wants("(end)")
	s, line = asNobody()
	wantServes(t, line, dir, true)
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	s.wants("gone", "(end)")
	isPlain(t, dir)

	conf, err := os.ReadFile("/etc/fuse.conf")
	if err == nil && !strings.Contains("\n"+string(conf), "\nuser_allow_other") {
		t.Setenv(allowOther, "true")
		_, line := asNobody()
		want := "error fusermount3: option allow_other only allowed if 'user_allow_other' is set in /etc/fuse.conf"
		if line != want {
			t.Errorf("%q, want %q", line, want)
		}
	}
}

// Root who allows others: others read, and write as far as the modes let them.
func TestAllowOther(t *testing.T) {
	need(t, isRoot(), "only root becomes another user")
	t.Setenv(allowOther, "true")
	s := mounted(t)
	for command, want := range map[string]bool{
		"head -c 5 random": true, "cat stats": true, "cat ctl": true,
		"echo x > seed": false, "echo reseed > ctl": false, "cat seed": false,
	} {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = s.dir
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		if out, err := cmd.CombinedOutput(); (err == nil) != want {
			t.Errorf("%s: %v, %q, want success: %v", command, err, out, want)
		}
	}
}

// The first line is the example of proc_pid_mountinfo(5).
const mountinfo = `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
91 36 0:39 / /mnt2/a\040dir rw,nosuid,nodev,noexec,relatime - fuse.fount fount rw,user_id=0,group_id=0
92 91 0:40 / /mnt2/a\040dir rw shared:7 master:1 propagate_from:2 - tmpfs a\040- rw
93 36 0:41 / /mnt2/b\134c\9aa\04 rw - fuse.fount fount rw
94 36 0:42 / /mnt2/short rw
`

func FuzzMountsOn(f *testing.F) {
	for _, path := range []string{"/mnt2", "/mnt2/a dir", `/mnt2/b\c\9aa\04`} {
		f.Add(mountinfo, path)
		if len(mountsOn(mountinfo, path)) == 0 {
			f.Errorf("nothing is mounted on %q", path)
		}
	}
	f.Fuzz(func(t *testing.T, info, path string) {
		for _, m := range mountsOn(info, path) {
			if m.path != path || m.fsType == "" {
				t.Errorf("%+v on %q", m, path)
			}
		}
	})
}
