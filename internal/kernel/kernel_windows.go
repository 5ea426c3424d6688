// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Name returns the name of the generator that Read asks, for Status.
func Name() string { return "ProcessPrng" }

var processPrng = windows.NewLazySystemDLL("bcryptprimitives.dll").NewProc("ProcessPrng")

// read calls ProcessPrng, which x/sys does not wrap:
// https://learn.microsoft.com/windows/win32/seccng/processprng The unsafe conversion passes b's
// address to the call (https://pkg.go.dev/unsafe#Pointer, pattern 4).
func read(b []byte) error {
	if len(b) == 0 {
		return nil
	}

	if err := processPrng.Find(); err != nil {
		return err
	}

	if ok, _, _ := processPrng.Call(uintptr(unsafe.Pointer(&b[0])), uintptr(len(b))); ok == 0 {
		return errors.New("it returned FALSE")
	}
	return nil
}
