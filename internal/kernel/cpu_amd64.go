// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build gc && !purego

package kernel

import "golang.org/x/sys/cpu"

// cpuRandom returns 64 bits of RDRAND. Intel's rule is to try ten times
// (Digital Random Number Generator Software Implementation Guide, section
// 5.2.1): a processor that then has none is taken for broken. Some give numbers
// that are none, and kernels hide that one: what is added (XOR) does no harm then.
//
// Assembly, because no package of Go's offers the instruction; cpu_other.go is
// its twin.
func cpuRandom() (uint64, bool) {
	if !cpu.X86.HasRDRAND {
		return 0, false
	}
	for range 10 {
		if v, ok := rdrand(); ok {
			return v, true
		}
	}
	return 0, false
}

//go:noescape
func rdrand() (v uint64, ok bool)

// ticks reads the time stamp counter after all loads before it are done.
//
//go:noescape
func ticks() uint64
