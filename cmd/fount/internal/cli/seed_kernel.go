// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What fount seed load gives to the kernel.

package cli

import (
	"fmt"
	"os"

	"fount/pool"
)

// kernelDevice mixes what is written to it into the kernel's generator, counts it for nothing and takes it from
// anybody: random(4) of Linux. macOS and the BSDs have it too, some for root alone.
const kernelDevice = "/dev/urandom"

// tellKernel writes 32 bytes of this process's pools to the kernel's device. After pool.Load they hold what was in the
// file; they are no part of it, so who saw them on their way would learn nothing of the file.
func tellKernel(device string) error {
	f, err := os.OpenFile(device, os.O_WRONLY, 0) // without O_CREATE and O_TRUNC: see below
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Mode()&os.ModeCharDevice == 0 { // in a carelessly made chroot it may be a file that others read
		return fmt.Errorf("%s is not a device", device)
	}
	var b [32]byte
	pool.Mix(&b) // to zeros, so that nothing but the pools is in it
	defer clear(b[:])
	_, err = f.Write(b[:])
	return err
}
