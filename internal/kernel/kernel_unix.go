// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix && !linux

package kernel

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// Name returns the name of the generator that Read asks, for Status.
func Name() string {
	if system == "" || callFailed.Load() {
		return "/dev/urandom"
	}
	return system
}

// callFailed is set when the system call fails. It is not made again.
var callFailed atomic.Bool

// openURandom opens /dev/urandom once for the process. It is read if there is no system call, or it
// fails. On these systems the device does not return bytes before the generator is seeded, or the
// system seeds it before it starts processes.
var openURandom = sync.OnceValues(func() (*os.File, error) {
	f, err := os.Open("/dev/urandom")
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Mode()&os.ModeCharDevice == 0 {
		return nil, errors.New("/dev/urandom is not a device")
	}
	return f, nil
})

func read(b []byte) error {
	for system != "" && len(b) > 0 && !callFailed.Load() {
		n, err := ask(b[:min(len(b), 256)]) // the most that getentropy returns
		if err != nil || n <= 0 {
			callFailed.Store(true)
			break
		}
		b = b[n:]
	}

	if len(b) == 0 {
		return nil
	}

	f, err := openURandom()
	if err != nil {
		return err
	}
	_, err = io.ReadFull(f, b)
	return err
}
