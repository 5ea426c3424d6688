// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import (
	"encoding/binary"

	"fount/internal/erase"
)

// MixTime adds (XOR) the processor's cycle counter, or the time in ns on processors other than
// amd64, to the first 8 bytes of b. That is not entropy. It makes unnoticed clones of a machine
// differ, whose kernels give the same bytes: they run at different paces, and one cycle is a
// difference. It takes 10 ns; RDRAND takes 300.
func MixTime(b []byte) {
	binary.NativeEndian.PutUint64(b, binary.NativeEndian.Uint64(b)^ticks())
}

// MixCPU adds (XOR) the processor's own random numbers to b, and reports whether it could. They
// differ in each clone of a machine, whose kernel may give the same bytes until it has reseeded.
// They are never used alone.
//
// MixCPU takes 45 ns for 8 bytes, and on some machines an exit to the hypervisor.
func MixCPU(b []byte) bool {
	var v [8]byte
	defer erase.Wipe(v[:])

	for len(b) > 0 {
		x, ok := cpuRandom()
		if !ok {
			return false
		}

		binary.LittleEndian.PutUint64(v[:], x)
		for i := range min(len(b), len(v)) {
			b[i] ^= v[i]
		}
		b = b[min(len(b), len(v)):]
	}
	return true
}
