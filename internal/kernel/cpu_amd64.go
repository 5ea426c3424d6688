// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build gc && !purego

package kernel

import "golang.org/x/sys/cpu"

// cpuRandom returns 64 bits of RDRAND. It tries ten times, as Intel recommends (Digital Random
// Number Generator Software Implementation Guide, section 5.2.1), and then takes the processor for
// broken. A processor that gives numbers that are not random does no harm, because they are added
// (XOR).
//
// It uses assembly, because no Go package offers the instruction. cpu_other.go replaces it
// elsewhere.
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

// ticks reads the time stamp counter, after all earlier loads are done.
//
//go:noescape
func ticks() uint64
