// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !plan9

package ninep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"runtime"
	"syscall"
)

func listenUnix(path string, mode fs.FileMode) (net.Listener, error) {
	if err := removeStale(path); err != nil {
		return nil, err
	}
	// Linux gives the name the mode that the socket has when it is bound, so that there is no moment in which others could
	// connect. Elsewhere there is one, before the Chmod below; a directory that is closed to others helps there.
	config := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) { chmodSocket(fd, mode.Perm()) })
	}}
	l, err := config.Listen(context.Background(), "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, mode.Perm()); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// removeStale removes the socket of a server that is gone.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is not a socket: move it away or listen elsewhere", path)
	}
	c, err := net.DialTimeout("unix", path, dialTimeout)
	if err == nil {
		c.Close()
		return fmt.Errorf("%s is served by another process: stop it or listen elsewhere", path)
	}
	if !refused(err) {
		return fmt.Errorf("can't tell whether somebody serves %s: %w", path, err)
	}
	return os.Remove(path)
}

// refused reports whether nobody listens. (Windows has a number of its own for that, WSAECONNREFUSED.)
func refused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || runtime.GOOS == "windows" && errors.Is(err, syscall.Errno(10061))
}
