// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

// Package unixsocket listens on a Unix socket, for servers whose socket other users can see.
//
// The socket gets its mode before others can connect. Listen replaces a socket that a killed server
// left. It returns an error if a server answers at the path, if a file of another kind is there, or
// if other users may replace files in the directory. Closing the listener removes its own socket
// only.
package unixsocket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"fount/internal/safedir"

	"golang.org/x/sys/unix"
)

// A place is a name in an open directory. Operations on it use that directory, even if its path
// leads elsewhere meanwhile.
type place struct {
	path, name string
	dir        *os.File
	unlock     func()
}

const maxPath = len(unix.RawSockaddrUnix{}.Path) - 1 // bytes; 107 on Linux: a NUL ends it

// Listen listens on a Unix socket at path, as the package comment says.
func Listen(path string, mode fs.FileMode) (net.Listener, error) {
	if strings.HasPrefix(path, "@") {
		return nil, fmt.Errorf("%s is an abstract socket, which has no mode and keeps nobody out; want a path, ./%s for that name", path, path)
	}
	if len(path) > maxPath {
		return nil, fmt.Errorf("%s has %d bytes; want a socket's path of at most %d", path, len(path), maxPath)
	}

	p, err := take(path)
	if err != nil {
		return nil, err
	}

	l, err := p.listen(mode)
	if err != nil {
		p.leave()
	}
	return l, err
}

// take opens the directory and locks the place for as long as the server lives. It returns an error
// if other users can replace the socket.
func take(path string) (*place, error) {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}

	p := &place{path: path, name: filepath.Base(path), dir: dir}
	if err = safedir.Check(dir); err == nil {
		p.unlock, err = safedir.Lock(dir, p.name+".lock", 0)
	}
	if err != nil {
		dir.Close()
		if errors.Is(err, safedir.ErrHeld) {
			err = errServed(path)
		}
		return nil, err
	}
	return p, nil
}

func (p *place) leave() {
	p.unlock()
	p.dir.Close()
}

// stat describes the file at the place. It follows no link.
func (p *place) stat() (s unix.Stat_t, err error) {
	err = unix.Fstatat(int(p.dir.Fd()), p.name, &s, unix.AT_SYMLINK_NOFOLLOW)
	return s, err
}

// clear removes the socket of a server that has ended. Anything else at the place is an error.
func (p *place) clear() error {
	s, err := p.stat()
	switch {
	case err == unix.ENOENT:
		return nil
	case err == nil && s.Mode&unix.S_IFMT != unix.S_IFSOCK:
		return fmt.Errorf("%s is not a socket: move it away or listen elsewhere", p.path)
	}

	c, err := net.DialTimeout("unix", p.path, dialTimeout)
	if err == nil {
		c.Close()
		return errServed(p.path)
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("can't tell whether somebody serves %s: %w", p.path, err)
	}

	err = unix.Unlinkat(int(p.dir.Fd()), p.name, 0)
	if err != nil && err != unix.ENOENT {
		return fmt.Errorf("%s: %w", p.path, err)
	}
	return nil
}

func (p *place) listen(mode fs.FileMode) (net.Listener, error) {
	if err := p.clear(); err != nil {
		return nil, err
	}

	// Linux gives the name the mode that the socket has when it is bound, less the umask, so that
	// there is no moment in which others could connect. Elsewhere there is one, before setMode; a
	// directory that is closed to others helps there.
	config := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) { unix.Fchmod(int(fd), uint32(mode.Perm())) })
	}}
	l, err := config.Listen(context.Background(), "unix", p.path)
	if err != nil {
		return nil, err
	}

	socket := &socket{UnixListener: l.(*net.UnixListener), place: p}
	socket.SetUnlinkOnClose(false) // it would remove whatever is at the path then
	socket.was, err = p.setMode(mode.Perm())
	if err != nil {
		socket.UnixListener.Close()
		return nil, err
	}
	return socket, nil
}

// setMode sets the mode of the new socket, if it has another, and describes it. It uses the
// socket's name, which nobody else can give to another file in this directory.
func (p *place) setMode(mode fs.FileMode) (unix.Stat_t, error) {
	s, err := p.stat()
	if err != nil {
		return s, fmt.Errorf("%s: %w", p.path, err)
	}
	if fs.FileMode(s.Mode)&0o7777 == mode {
		return s, nil
	}
	return s, unix.Fchmodat(int(p.dir.Fd()), p.name, uint32(mode), 0)
}

// A socket is a listener that removes its socket when it is closed, unless another is in its place:
// systemd waits for no lock, and replaces a socket that is served.
type socket struct {
	*net.UnixListener
	place *place
	was   unix.Stat_t
	once  sync.Once
}

func (s *socket) Close() error {
	err := s.UnixListener.Close()
	s.once.Do(func() {
		now, statErr := s.place.stat()
		if statErr == nil && now.Dev == s.was.Dev && now.Ino == s.was.Ino {
			unix.Unlinkat(int(s.place.dir.Fd()), s.place.name, 0)
		}
		s.place.leave()
	})
	return err
}

// dialTimeout is more than connecting takes, unless the server's backlog is full.
const dialTimeout = 10 * time.Second

// errServed returns the error for a socket that is in use.
func errServed(path string) error {
	return fmt.Errorf("%s is served by another process: stop it or listen elsewhere", path)
}
