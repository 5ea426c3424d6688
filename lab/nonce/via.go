// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package nonce

// Where the seven methods of the post get their bytes.

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"fount/lab/machine"
)

// A Via is a way to the kernel's random bytes. With another one than the machine's best, an older kernel is reproduced.
type Via struct {
	Name  string
	About string // what it is, in a few words

	// open makes what one goroutine fills bytes with, and what ends that. The error is an [errors.ErrUnsupported] if the
	// operating system lacks it.
	open func() (fill func([]byte) error, close func(), err error)
}

// The ways.
var (
	ViaVDSO    = &Via{"vdso", "getrandom as Go calls it, in the vDSO where the kernel has it there", getrandom(machine.Getrandom)}
	ViaSyscall = &Via{"syscall", "the getrandom system call", getrandom(machine.RawGetrandom)}
	ViaUrandom = &Via{"urandom", "reading /dev/urandom", openUrandom}
	ViaGo      = &Via{"go", "crypto/rand.Read", openGo}
)

// Vias are all of them.
var Vias = []*Via{ViaVDSO, ViaSyscall, ViaUrandom, ViaGo}

// DefaultVia is ViaVDSO where it works, else ViaGo, which works everywhere.
func DefaultVia() *Via {
	if ViaVDSO.here() {
		return ViaVDSO
	}
	return ViaGo
}

// here reports whether it works on this machine.
func (v *Via) here() bool {
	_, done, err := v.open()
	if err != nil {
		return false
	}
	done()
	return true
}

func openGo() (fill func([]byte) error, close func(), err error) {
	return func(b []byte) error { rand.Read(b); return nil }, func() {}, nil
}

func getrandom(call func([]byte) error) func() (func([]byte) error, func(), error) {
	return func() (func([]byte) error, func(), error) {
		var probe Nonce
		return call, func() {}, call(probe[:])
	}
}

func openUrandom() (fill func([]byte) error, close func(), err error) {
	return openDevice("/dev/urandom")
}

// openDevice opens a file of random bytes. That it is not there is no failure on systems that have no such files.
func openDevice(path string) (fill func([]byte) error, close func(), err error) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, os.ErrNotExist) && (runtime.GOOS == "windows" || runtime.GOOS == "js" || runtime.GOOS == "plan9"):
		return nil, nil, fmt.Errorf("%s on %s: %w", path, runtime.GOOS, errors.ErrUnsupported)
	case err != nil:
		return nil, nil, err
	}
	fill = func(b []byte) error { _, err := io.ReadFull(f, b); return err }
	return fill, func() { f.Close() }, nil
}
