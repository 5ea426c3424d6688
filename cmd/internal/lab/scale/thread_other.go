// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package scale

// Threads and their cores, where a program can't bind them or not in the same way.

import "runtime"

// canPin says that a thread can't be bound to a core here.
const canPin = false

// allowed are numbers for as many cores as this process may use.
func allowed() (cpus []int) {
	for i := range runtime.NumCPU() {
		cpus = append(cpus, i)
	}
	return cpus
}

// pin binds the calling goroutine to a thread, which the system moves as it likes.
func pin(int) error {
	runtime.LockOSThread()
	return nil
}
