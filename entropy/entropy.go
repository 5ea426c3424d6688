// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package entropy draws fount's randomness from the operating system and from other
// sources. It is not for most programs: package fount costs less a draw and is as
// strong.
//
// Beside the kernel there are sources that are mixed in and count for nothing: the
// processor's RDSEED and RDRAND, jitter (the time that accesses to memory take), a
// seed file, and bytes that the program adds itself ([Add]). [Gather] asks them all;
// [List] reports their status. A source that fails a health test is cut off for the
// life of the process, and everything goes on with the kernel. The tests find broken
// sources, not weak ones: no test of output can.
//
// The pools (package fount/pool) gather once a minute, when a generator of package
// fount takes a seed. The seed is 32 bytes of the kernel XOR 32 of the pools, so every
// draw after it depends on the sources. Two kinds of draw do not: those in fount's mode
// "window", whose seeds are the kernel's, with [MixTime] and, just after a clone,
// [MixCPU]; and those of fount.Strict.
package entropy

import (
	"strconv"

	"fount/internal/stop"
)

// Kernel fills b from the operating system's generator. It blocks until that is
// seeded (early boot), and retries interrupted calls and short reads. If the system
// refuses, the process stops with exit status 2 and one line on standard error:
// there is no error to ignore and no weaker source to fall back to. Kernel does not
// allocate, and b does not escape. It may be called from any goroutine.
//
// It does not use crypto/rand, whose Reader is a variable that any package may
// replace. It calls:
//
//   - Linux: getrandom(2), through the vDSO where kernel (6.11) and Go (1.24)
//     have it; where the system call does not exist, /dev/urandom, opened only
//     after /dev/random polls readable.
//   - Windows: ProcessPrng.
//   - other Unix systems: /dev/urandom.
//   - Plan 9: a ChaCha20 generator of this process's own, seeded once with 32
//     bytes of /dev/random, which gives about 18 bytes a second there.
//   - js/wasm: crypto.getRandomValues; wasip1: random_get.
func Kernel(b []byte) {
	if rerouted, err := reroute(b); rerouted {
		check(b, err)
		return
	}
	check(b, kernel(b))
}

// KernelName returns the name of the generator that Kernel asks, for Status.
func KernelName() string { return kernelName() }

func check(b []byte, err error) {
	if err == nil {
		return
	}
	stop.Now("the kernel gave no random bytes (" + strconv.Itoa(len(b)) + " asked of " + kernelName() + "): " +
		err.Error() + "; the process stops, because anything else would be weaker")
}
