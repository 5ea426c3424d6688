// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego && (amd64 || arm64)

package uniqueness

// vdsoCall calls the vDSO's getrandom as C does, on the goroutine's stack: it has a frame of 8 KiB, so that the function's
// prologue makes the room (the C code needs less than 1 KiB). No argument may point into Go memory. It takes less than
// 1 µs where it makes no system call; meanwhile the goroutine can't be preempted, and a collection waits for it. The twin
// of this assembly is generation_none_linux.go; tests: TestTrampoline, TestCallUnderPressure.
func vdsoCall(fn, buf, n, flags, state, stateLen uintptr) int
