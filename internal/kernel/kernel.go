// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package kernel reads the operating system's random bytes: those of every seed, and all that
// fount.Strict returns. It is not a generator, except on Plan 9.
//
// It does not use crypto/rand, whose Reader is a variable that any package may replace. Its sources
// are:
//
//   - Linux: getrandom(2), through the vDSO if the kernel (6.11) and Go (1.24) have it; if the system
//     call is missing, /dev/urandom, opened only after /dev/random polls readable.
//   - Windows: ProcessPrng.
//   - macOS: getentropy(2); FreeBSD and DragonFly: getrandom(2); if these fail, and on other Unix
//     systems, /dev/urandom.
//   - Plan 9: a ChaCha20 generator of this process's own, seeded once with 32 bytes of /dev/random,
//     which gives about 18 bytes a second there.
//   - js/wasm: crypto.getRandomValues; wasip1: random_get.
package kernel

import (
	"strconv"

	"fount/internal/clone"
	"fount/internal/stop"
)

// Read fills b from the operating system's generator. It blocks until that is seeded (early boot),
// and retries interrupted calls and short reads. If the system refuses, the process stops with exit
// status 2 and one line on standard error: there is no error that a caller could ignore, and no
// weaker source.
//
// For 100 ms after a clone of the machine was noticed, Read adds (XOR) the processor's own random
// numbers, because the kernel may give all clones the same bytes until it has reseeded. Read checks
// that after the kernel has answered, so that it also notices a clone in between.
//
// Read does not allocate, and b does not escape. It may be called from any goroutine.
func Read(b []byte) {
	if err := read(b); err != nil {
		stop.Now("the kernel gave no random bytes (" + strconv.Itoa(len(b)) + " asked of " + Name() + "): " +
			err.Error() + "; the process stops, because any other source would be weaker")
	}
	if clone.Settling() {
		MixCPU(b)
	}
}
