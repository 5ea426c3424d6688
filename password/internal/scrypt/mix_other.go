// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Portable code, for processors without assembly.

//go:build !amd64 || !gc || purego

package scrypt

func fastest() int { return 0 }

func blocksAt(level int, t *[blockWords]uint32, even, odd, x, v []uint32) {
	blocksGeneric(t, even, odd, x, v)
}
