// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import (
	"encoding/binary"

	"fount/internal/erase"
)

// MixTime adds (XOR) the processor's cycle counter to the first 8 bytes of b; on
// processors other than amd64, the time in ns. That is not entropy: b's strength comes
// from elsewhere. It tells apart two clones of a machine whose kernels were not told of
// the clone and answer alike: they run on at different paces, and one cycle is a
// difference. It costs 10 ns; RDRAND costs 300.
func MixTime(b []byte) {
	binary.NativeEndian.PutUint64(b, binary.NativeEndian.Uint64(b)^ticks())
}

// MixCPU adds (XOR) the processor's own random numbers to b and reports whether it
// could. It is for the moment after a clone of the machine was noticed, when the kernel
// may not have reseeded yet and answers all clones alike: the processor answers each
// draw differently. It is never used alone.
//
// It costs 45 ns for 8 bytes, and on some machines an exit to the hypervisor.
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
