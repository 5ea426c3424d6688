// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The name space of a starter.

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
)

// ownNameSpace has a child start with a copy of the name space: what it mounts, nobody else sees.
var ownNameSpace = &syscall.SysProcAttr{Rfork: syscall.RFNAMEG}

// enter makes /dev/random what it is at the place, whatever it was before.
func (s site) enter() error {
	if s.Place == Device {
		return onto("#c/random", randomFile, syscall.Bind("#c/random", randomFile, syscall.MREPL))
	}
	if err := s.mount(s.Dir, syscall.MREPL, ""); err != nil { // with stats
		return err
	}
	switch s.Place {
	case Union:
		return s.mount("/dev", syscall.MBEFORE, "dev")
	case Bind:
		random := filepath.Join(s.Dir, "random")
		return onto(random, randomFile, syscall.Bind(random, randomFile, syscall.MREPL))
	}
	return fmt.Errorf("place %q is not known", s.Place)
}

// mount mounts the server. A mount takes the descriptor over, a failed one does not.
func (s site) mount(dir string, flag int, tree string) error {
	name := "/srv/" + s.Server
	fd, err := syscall.Open(name, syscall.O_RDWR)
	if err != nil {
		return onto(name, dir, err)
	}
	const noAuthentication = -1
	if err := syscall.Mount(fd, noAuthentication, dir, flag, tree); err != nil {
		return errors.Join(onto(name, dir, err), syscall.Close(fd))
	}
	return nil
}

// onto adds what was put where to an error.
func onto(what, where string, err error) error {
	if err != nil {
		return fmt.Errorf("%s on %s: %w", what, where, err)
	}
	return nil
}
