// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import (
	"syscall"
	"unsafe"
)

// Name returns the name of the generator that Read asks, for Status.
func Name() string { return "random_get" }

//go:wasmimport wasi_snapshot_preview1 random_get
//go:noescape
func randomGet(buf *byte, n uint32) uint32

// read calls WASI's random_get, which fills the whole buffer or fails. It takes b's address,
// because the import has WASI's types. unsafe.SliceData needs no conversion
// (https://go.dev/blog/wasmexport).
func read(b []byte) error {
	if errno := randomGet(unsafe.SliceData(b), uint32(len(b))); errno != 0 {
		return syscall.Errno(errno)
	}
	return nil
}
