// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix && !linux

package entropy

import (
	"errors"
	"io"
	"os"
	"sync"
)

func kernelName() string { return "/dev/urandom" }

// open keeps one descriptor for the process. On these systems the device does
// not return bytes before the generator is seeded, or the system seeds it
// before it starts processes.
var open = sync.OnceValues(func() (*os.File, error) {
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

func kernel(b []byte) error {
	f, err := open()
	if err != nil {
		return err
	}
	_, err = io.ReadFull(f, b)
	return err
}
