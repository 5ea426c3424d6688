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

// ownDir is a directory in which nobody else may create files.
func ownDir(t testing.TB) string {
	t.Helper()
	return socketdir.New(t)
}

func TestListen(t *testing.T) {
	path := filepath.Join(ownDir(t), "s")
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

	// Closed, the socket is gone.
	l.Close()
	if _, err := os.Lstat(path); err == nil {
		t.Error("the socket is there after Close")
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
