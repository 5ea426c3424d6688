// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux

package demo

import (
	"os"

	"golang.org/x/sys/unix"
)

// keys is a terminal that gives each key at once, and does not show it. Ctrl-C still interrupts.
type keys struct {
	in  *os.File
	was unix.Termios
}

func openKeys(in *os.File) (*keys, error) {
	was, err := unix.IoctlGetTermios(int(in.Fd()), unix.TCGETS)
	if err != nil {
		return nil, err
	}
	now := *was
	now.Lflag &^= unix.ICANON | unix.ECHO
	return &keys{in, *was}, unix.IoctlSetTermios(int(in.Fd()), unix.TCSETS, &now)
}

func (k *keys) restore() { unix.IoctlSetTermios(int(k.in.Fd()), unix.TCSETS, &k.was) }
