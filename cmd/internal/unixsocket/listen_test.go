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

func TestListen(t *testing.T) {
	path := filepath.Join(socketdir.New(t), "s")
	l, err := Listen(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	mode := func(want fs.FileMode) {
		t.Helper()
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != fs.ModeSocket|want {
			t.Errorf("the mode is %v, want %v", info.Mode(), fs.ModeSocket|want)
		}
	}
	mode(0o600)

	// A live one is left alone.
	if _, err := Listen(path, 0o600); err == nil || !strings.Contains(err.Error(), "served by another process") {
		t.Errorf("beside a live server: %v", err)
	}
	os.Remove(path)
	if _, err := Listen(path, 0o600); err == nil || !strings.Contains(err.Error(), "served by another process") {
		t.Errorf("beside a server whose socket was removed: %v", err)
	}

	// Closed, the socket and its lock are gone.
	l.Close()
	l.Close()
	if names, err := os.ReadDir(filepath.Dir(path)); len(names) != 0 || err != nil {
		t.Errorf("after Close there are %v, %v", names, err)
	}

	// A killed server leaves its socket.
	l, err = Listen(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	abandon(l)
	if _, err := os.Lstat(path); err != nil {
		t.Fatal("this test left no stale socket: ", err)
	}
	if _, err := net.Listen("unix", path); err == nil {
		t.Error("a stale socket stops nobody, so that the next lines prove nothing")
	}
	l, err = Listen(path, 0o666)
	if err != nil {
		t.Fatal("a stale socket: ", err)
	}
	mode(0o666)
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
	l.Close()

	// A file of another kind is left alone.
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(path, 0o600); err == nil || !strings.Contains(err.Error(), "is not a socket") {
		t.Errorf("in the place of a file: %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "mine" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	if _, err := Listen(filepath.Join(path, "no", "such", "dir"), 0o600); err == nil {
		t.Error("a socket in a directory that is not there")
	}
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
