// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build amd64 && gc && !purego

package registers

import "golang.org/x/sys/cpu"

// Clears reports whether no bit is set in registers from to below to after call, before which all
// were: in those of Z where there is AVX512F, else of Y.
func Clears(from, to int, call func()) bool {
	return ever(func() bool { z := around(call); return !anySet(z[from:to]) })
}

// Leaves reports whether one is.
func Leaves(from, to int, call func()) bool {
	return ever(func() bool { z := around(call); return anySet(z[from:to]) })
}

func around(call func()) (z [32][64]byte) {
	if cpu.X86.HasAVX512F {
		Fill512()
		call()
		Read512(&z)
		return z
	}
	var y [16][32]byte
	Fill256()
	call()
	Read256(&y)
	for i := range y {
		copy(z[i][:], y[i][:])
	}
	return z
}

func anySet(z [][64]byte) bool {
	for _, r := range z {
		if r != [64]byte{} {
			return true
		}
	}
	return false
}

// Fill256 sets each bit of Y0 to Y15, which takes AVX2. When it has returned, Go has cleared X15.
func Fill256()

// Read256 reads Y0 to Y15. Of Y15 it sees the high half only: Go clears X15 before a call.
//
//go:noescape
func Read256(to *[16][32]byte)

// Fill512 and Read512 are the same for Z0 to Z31, which take AVX512F.
func Fill512()

//go:noescape
func Read512(to *[32][64]byte)
