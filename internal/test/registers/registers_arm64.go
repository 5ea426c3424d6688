// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build arm64 && gc && !purego

package registers

// Clears reports whether call clears the V registers from to below to.
func Clears(from, to int, call func()) bool {
	return ever(func() bool { v := around(call); return !anySet(v[from:to]) })
}

// Leaves reports whether one is.
func Leaves(from, to int, call func()) bool {
	return ever(func() bool { v := around(call); return anySet(v[from:to]) })
}

func around(call func()) (v [32][16]byte) {
	Fill()
	call()
	Read(&v)
	return v
}

func anySet(v [][16]byte) bool {
	for _, r := range v {
		if r != [16]byte{} {
			return true
		}
	}
	return false
}

// Fill sets each bit of V0 to V31.
func Fill()

// Read reads V0 to V31.
//
//go:noescape
func Read(to *[32][16]byte)
