// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"fount/internal/kernel"
)

// Post posts the server as /srv/NAME, where mount(1) finds it. It serves until nobody has it
// mounted and NAME is removed, or until the process ends, which removes NAME. Close of the server
// does not end it, because a waiting read of a pipe can't be ended. Post calls posted when NAME is
// there, which on a drained device takes seconds.
//
// The server must never read the file that it serves. `mount -b /srv/fount /dev` makes /dev/random
// the server's own, in its own name space too if it was started there, and its read would wait for
// itself. So the kernel's device #c/random, which no mount covers, is read before the name is
// there; package kernel makes all that fount asks of the kernel afterwards from those 32 bytes, and
// opens no file again.
//
// The kernel is the client and multiplexes all processes on one connection: it neither stalls nor
// lies.
func Post(name string, s *Server, posted func()) error {
	s.init()
	if name == "" || strings.ContainsAny(name, "/\x00") {
		return fmt.Errorf("post %q: want a name for /srv, such as fount", name)
	}

	if err := seedFromDevice(); err != nil {
		return err
	}

	ours, file, err := post(name)
	if err != nil {
		return err
	}
	defer file.Close() // removes the name

	posted()

	c := newConn(s, ours, peer{"/srv/" + name, unknown})
	err = c.serve()
	c.report(err)
	return err
}

func seedFromDevice() error {
	f, err := os.Open("#c/random")
	if err != nil {
		return err
	}
	defer f.Close()
	return kernel.Seed(f)
}

// post creates /srv/NAME and writes one end of a pipe to it. A child gets neither file: the pipe
// would stay open in it.
func post(name string) (ours, file *os.File, err error) {
	var fd [2]int
	if err := syscall.Pipe(fd[:]); err != nil {
		return nil, nil, fmt.Errorf("pipe: %w", err)
	}
	defer syscall.Close(fd[0]) // /srv holds it then

	own, err := closedInChild(fd[1])
	if err != nil {
		return nil, nil, err
	}

	const removeOnClose = 64 // ORCLOSE
	path := "/srv/" + name
	sfd, err := syscall.Create(path, syscall.O_WRONLY|removeOnClose|syscall.O_CLOEXEC, 0o600)
	if err == nil {
		_, err = syscall.Write(sfd, []byte(strconv.Itoa(fd[0])))
		if err != nil {
			syscall.Close(sfd)
		}
	}

	if err != nil {
		syscall.Close(own)
		return nil, nil, fmt.Errorf("post %s: %w", path, err)
	}

	return os.NewFile(uintptr(own), "pipe"), os.NewFile(uintptr(sfd), path), nil
}

// closedInChild opens a descriptor again so that an exec closes it, and closes the old one.
func closedInChild(fd int) (int, error) {
	defer syscall.Close(fd)
	again, err := syscall.Open("#d/"+strconv.Itoa(fd), syscall.O_RDWR|syscall.O_CLOEXEC)
	if err != nil {
		return 0, errors.Join(errors.New("can't make a pipe close on exec"), err)
	}
	return again, nil
}
