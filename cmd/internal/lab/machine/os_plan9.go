// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// What Plan 9 tells.

import (
	"io"
	"os"
	"runtime"
	"syscall"
)

func inspectOS(f *Facts) {
	f.Random.Device = lookAt(apart, open) // before anything else here reads it
}

// open opens the device. It is served if it came through a mount: the kernel's has type c.
func open() (r io.ReadCloser, served bool, err error) {
	file, err := os.Open("/dev/random")
	if err != nil {
		return nil, false, err
	}

	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, false, err
	}

	dir, ok := info.Sys().(*syscall.Dir)
	return file, ok && dir.Type == 'M', nil
}

// first is the program's first thread, which initializes packages. On Plan 9 a thread is a process.
var first = syscall.Getpid()

// apart starts f, not on the first thread: one that waits for a file server that hangs does not end
// with the program, and a shell waits for the first.
func apart(f func()) {
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()

		if syscall.Getpid() != first {
			f()
			return
		}

		done := make(chan struct{})
		go func() {
			defer close(done)
			f()
		}()
		<-done // the first thread is taken until then
	}()
}
