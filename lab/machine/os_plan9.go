// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// What Plan 9 tells.

import (
	"crypto/rand"
	"os"
	"syscall"
)

func inspectOS(f *Facts) {
	f.Random.Device = lookAt("/dev/random", served) // before anything else here reads it
	if f.Random.Device.answers() {
		f.Random.Repeats = repeats(fill(rand.Read))
	}
}

// served reports whether a file came through a mount: the kernel's device has the type of driver c.
func served(file *os.File) (bool, error) {
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	dir, ok := info.Sys().(*syscall.Dir)
	return ok && dir.Type == 'M', nil
}
