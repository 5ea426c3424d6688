// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package fresh decides what bytes are made of that nobody has seen: those of seeds,
// pools and Strict.
package fresh

import (
	"fount/entropy"
	"fount/uniqueness"
)

// Fill fills b from the kernel and, just after a clone of the machine was noticed,
// mixes in what the processor says: until the kernel has reseeded it may answer all
// clones alike. It may block, and stops the process if the kernel has no bytes.
func Fill(b []byte) { FillWhile(b, uniqueness.Settling) }

// FillWhile is Fill for a test that says itself when a clone was noticed. It asks
// after the kernel has answered: a clone in between is noticed too.
func FillWhile(b []byte, settling func() bool) {
	entropy.Kernel(b)
	if settling() {
		entropy.MixCPU(b)
	}
}
