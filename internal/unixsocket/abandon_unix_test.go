// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package unixsocket

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// abandon ends a listener as kill -9 does: its socket stays, and its lock is free.
func abandon(l net.Listener) {
	s := l.(*socket)
	s.once.Do(func() {})
	s.UnixListener.Close()
	s.place.leave()
}

// A server that ends removes its own socket, and neither that of its successor nor what else has the name by then.
func TestListenSuccessor(t *testing.T) {
	// The control: a listener of the net package removes whatever has its name.
	path := filepath.Join(ownDir(t), "s")
	listen := func() net.Listener {
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	first := listen()
	os.Remove(path)
	second := listen()
	first.Close()
	if _, err := os.Lstat(path); err == nil {
		t.Error("the control left its successor's socket: this test shows nothing")
	}
	second.Close()

	l, err := Listen(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(path)
	if _, err := Listen(path, 0o600); err == nil || !strings.Contains(err.Error(), "served by another process") {
		t.Errorf("beside a server whose socket was removed: %v", err)
	}
	os.Remove(path + ".lock") // by somebody who wants it so
	next, err := Listen(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	l.Close()
	if c, err := net.Dial("unix", path); err != nil {
		t.Error(err)
	} else {
		c.Close()
	}
	if _, err := Listen(path, 0o600); err == nil || !strings.Contains(err.Error(), "served by another process") {
		t.Errorf("beside the successor: %v", err)
	}
	next.Close()
	if names, err := os.ReadDir(filepath.Dir(path)); len(names) != 0 || err != nil {
		t.Errorf("at the end there are %v, %v", names, err)
	}
}
