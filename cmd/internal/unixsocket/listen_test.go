// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package unixsocket

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fount/internal/test/socketdir"
)

// A socket is served by one server, has its mode, and goes with the server. One that a killed server
// left is replaced, and a file of another kind is not.
func TestListen(t *testing.T) {
	path := filepath.Join(socketdir.New(t), "s")
	listen := func(t *testing.T, mode fs.FileMode) net.Listener {
		t.Helper()
		l, err := Listen(path, mode)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode() != fs.ModeSocket|mode {
			t.Errorf("%v, %v; want mode %v", info, err, fs.ModeSocket|mode)
		}
		return l
	}
	refuses := func(t *testing.T, why string) {
		t.Helper()
		if _, err := Listen(path, 0o600); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v; want %s", err, why)
		}
	}

	t.Run("beside a server", func(t *testing.T) {
		l := listen(t, 0o600)
		refuses(t, "served by another process")
		os.Remove(path)
		refuses(t, "served by another process")

		l.Close()
		l.Close()
		if names, err := os.ReadDir(filepath.Dir(path)); len(names) != 0 || err != nil {
			t.Errorf("after Close there are %v, %v", names, err)
		}
	})
	t.Run("after a killed server", func(t *testing.T) {
		abandon(listen(t, 0o600))
		if _, err := net.Listen("unix", path); err == nil {
			t.Error("a stale socket stops nobody, so that the next lines prove nothing")
		}
		l := listen(t, 0o666)
		defer l.Close()
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
	})
	t.Run("in the place of a file", func(t *testing.T) {
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		refuses(t, "is not a socket")
		if b, err := os.ReadFile(path); err != nil || string(b) != "mine" {
			t.Errorf("the file holds %q, %v", b, err)
		}
	})
	t.Run("without a directory", func(t *testing.T) {
		path = filepath.Join(path, "no", "such", "dir")
		refuses(t, "not a directory")
	})
}

// Where others may replace the socket nothing listens.
func TestDirectoryOfOthers(t *testing.T) {
	dir := socketdir.New(t)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(filepath.Join(dir, "s"), 0o600); err == nil || !strings.Contains(err.Error(), "others may replace files") {
		t.Errorf("in a directory that all may write to: %v", err)
	}
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	if l, err := Listen(filepath.Join(dir, "s"), 0o600); err != nil {
		t.Errorf("in one like /tmp: %v", err)
	} else {
		l.Close()
	}
}

// An abstract socket has no file, and no mode that keeps others out.
func TestNoAbstractSocket(t *testing.T) {
	l, err := Listen("@fount-test", 0o600)
	if err == nil {
		l.Close()
		t.Fatal("it was made")
	}
	if text := err.Error(); !strings.Contains(text, "abstract") || !strings.Contains(text, "./@fount-test") {
		t.Errorf("%q; want one that says so, and what would be right", text)
	}
}

// abandon ends a listener as kill -9 does: its socket stays, and its lock is free.
func abandon(l net.Listener) {
	s := l.(*socket)
	s.once.Do(func() {})
	s.UnixListener.Close()
	s.place.leave()
}

// systemd waits for no lock: it replaces a socket that is served.
func TestReplaced(t *testing.T) {
	path := filepath.Join(socketdir.New(t), "s")
	l, err := Listen(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}

	os.Remove(path)
	next, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	l.Close()

	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatalf("the socket of another is gone: %v", err)
	}
	c.Close()
}
