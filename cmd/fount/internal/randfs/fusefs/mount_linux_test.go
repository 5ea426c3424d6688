// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !386 && !arm && !mips && !mipsle

package fusefs

// The beginning and the end of a mount.

import (
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

	"fount/cmd/fount/internal/randfs"
	"fount/internal/test/otheruser"

	"golang.org/x/sys/unix"
)

// reader reads without end and without looking at what it reads.
func reader(t *testing.T, path string) (wait func() (string, error)) {
	t.Helper()
	cmd := exec.Command("dd", "if="+path, "bs=64K")
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 1<<20)); err != nil { // it is at work
		t.Fatal(err)
	}
	return func() (string, error) {
		_, _ = io.Copy(io.Discard, out)
		err := cmd.Wait()
		return said.String(), err
	}
}

// brokenOff is an error unless dd ended with an error of a mount that is gone.
func brokenOff(said string, err error) error {
	if err == nil || !strings.Contains(said, "Transport endpoint is not connected") &&
		!strings.Contains(said, "Software caused connection abort") {
		return fmt.Errorf("dd: %v, %q, want ENOTCONN or ECONNABORTED", err, said)
	}
	return nil
}

func TestUnmount(t *testing.T) {
	s := mounted(t, Options{})
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.wants("gone", "(end)")
	isPlain(t, s.dir)
}

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

// Someone else unmounts: the server ends.
func TestUnmountedElsewhere(t *testing.T) {
	s := mounted(t, Options{})
	if err := exec.Command("umount", s.dir).Run(); err != nil {
		t.Fatal(err)
	}
	s.wants("gone", "(end)")
}

// A mount in use is told apart, and given up its users get errors.
func TestBusy(t *testing.T) {
	s := mounted(t, Options{})
	wait := reader(t, s.path("random"))
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.wants("busy")
	if !isRoot() {
		_ = s.cmd.Process.Kill() // only root aborts a connection without ending
	}
	if err := brokenOff(wait()); err != nil {
		t.Error(err)
	}
	isPlain(t, s.dir)
}

// The server is killed while four read: each gets an error. A second server clears what is left and serves.
func TestKill(t *testing.T) {
	s := mounted(t, Options{})
	var waits []func() (string, error)
	for range 4 {
		wait := reader(t, s.path("random"))
		waits = append(waits, wait)
	}
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for _, wait := range waits {
		if err := brokenOff(wait()); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.ReadDir(s.dir); err == nil {
		t.Fatal("the dead mount can be listed")
	}
	second, line := start(t, command(t, s.dir, Options{}), s.dir)
	if want := "serves " + s.dir + " cleared true"; line != want {
		t.Fatalf("the second server says %q, want %q", line, want)
	}
	if _, err := dd(second.path("random"), nil, 4096, 4); err != nil {
		t.Error(err)
	}
}

// A dead mount that is not ours is left alone and explained.
func TestDeadMountOfAnother(t *testing.T) {
	canMount(t)
	need(t, isRoot(), "only root makes a dead mount of another type")
	dir := mountDir(t)
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	err = unix.Mount("x", dir, "fuse.x", 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fd))
	unix.Close(fd)
	if err != nil {
		t.Fatal(err)
	}
	_, line := start(t, command(t, dir, Options{}), dir)
	want := fmt.Sprintf("error %s has a dead mount of fuse.x; clear it: fusermount3 -u -z %[1]s, or as root "+
		"umount -l %[1]s", dir)
	if line != want {
		t.Errorf("%q, want %q", line, want)
	}
}

// What is wrong with a directory is said in one line.
func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	file := filepath.Join(full, "file")
	missing := filepath.Join(dir, "missing")
	if err := os.Mkdir(full, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		missing: missing + " does not exist; mkdir " + missing + " makes it",
		file:    file + " is not a directory",
		full:    full + ` is not empty (it has "file"), and a mount would hide that; use an empty directory`,
	} {
		if _, err := Mount(randfs.New(randfs.Source{}), path, Options{}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{MaxRead: 4095}, "max read of 4095 bytes; use 4096 to 1048576"},
		{Options{MaxRead: 1<<20 + 1}, "max read of 1048577 bytes; use 4096 to 1048576"},
	} {
		_, err := Mount(randfs.New(randfs.Source{}), full, c.o)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// A directory that is served already is refused, and what serves it goes on.
func TestServedAlready(t *testing.T) {
	s := mounted(t, Options{})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(s.dir, link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{s.dir, link} {
		_, line := start(t, command(t, dir, Options{}), dir)
		want := fmt.Sprintf("error %s serves random files already; umount %[1]s ends that", s.dir)
		if line != want {
			t.Errorf("%q, want %q", line, want)
		}
	}
	if _, err := dd(s.path("random"), nil, 16, 2); err != nil {
		t.Error(err)
	}
}

// What others mount on top stays, with what is in it, and the server ends with an error that names it.
func TestCovered(t *testing.T) {
	s := mounted(t, Options{})
	need(t, isRoot(), "only root mounts a tmpfs")
	if err := unix.Mount("theirs", s.dir, "tmpfs", 0, ""); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.path("data"), []byte("data"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.wants(fmt.Sprintf("error %s has another mount on top, theirs of type tmpfs: umount that first, then umount %[1]s", s.dir), "(end)")
	if b, err := os.ReadFile(s.path("data")); err != nil || string(b) != "data" {
		t.Errorf("what was on top has %q, %v", b, err)
	}
}

// Of two that mount at once one serves and the other is refused.
func TestMountedTwice(t *testing.T) {
	canMount(t)
	for range 10 {
		dir := mountDir(t)
		lines := make(chan string, 2)
		var servers [2]*server
		var both sync.WaitGroup
		for i := range servers {
			both.Go(func() {
				var line string
				servers[i], line = start(t, command(t, dir, Options{}), dir)
				lines <- line
			})
		}
		both.Wait()
		got := []string{<-lines, <-lines}
		slices.Sort(got)
		want := []string{fmt.Sprintf("error %s serves random files already; umount %[1]s ends that", dir), "serves " + dir + " cleared false"}
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
		if _, err := dd(filepath.Join(dir, "random"), nil, 16, 2); err != nil {
			t.Error(err)
		}
	}
}

// A mount that was aborted ends its server with an error, so that a service is started again.
func TestForced(t *testing.T) {
	s := mounted(t, Options{})
	need(t, isRoot(), "only root aborts a mount")
	f, err := os.Open(s.path("random"))
	if err != nil {
		t.Fatal(err)
	}
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
	asNobody := func(o Options) (*server, string) {
		cmd := command(t, dir, o)
		cmd.Path, cmd.Args = self, []string{self}
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		return start(t, cmd, dir)
	}
	_, line := asNobody(Options{})
	if !strings.HasPrefix(line, "error fusermount3: user has no write access to mountpoint") {
		t.Errorf("in root's directory: %q, want no write access", line)
	}
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	var s *server
	s, line = asNobody(Options{})
	if want := "serves " + dir + " cleared false"; line != want {
		t.Fatalf("%q, want %q", line, want)
	}
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
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.wants("(end)")
	s, line = asNobody(Options{})
	if want := "serves " + dir + " cleared true"; line != want {
		t.Fatalf("after a kill: %q, want %q", line, want)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.wants("gone", "(end)")
	isPlain(t, dir)
	conf, err := os.ReadFile("/etc/fuse.conf")
	if err == nil && !strings.Contains("\n"+string(conf), "\nuser_allow_other") {
		_, line := asNobody(Options{AllowOther: true})
		want := "error fusermount3: option allow_other only allowed if 'user_allow_other' is set in /etc/fuse.conf"
		if line != want {
			t.Errorf("%q, want %q", line, want)
		}
	}
}

// Root who allows others: others read, and write as far as the modes let them.
func TestAllowOther(t *testing.T) {
	need(t, isRoot(), "only root becomes another user")
	s := mounted(t, Options{AllowOther: true})
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
