// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// AVX-512 and AVX for amd64. The assembly is generated: _asm/main.go says how it works.

//go:build amd64 && gc && !purego

package scrypt

import "golang.org/x/sys/cpu"

//go:generate env GOWORK=off go -C _asm run . -out ../mix_amd64.s

// fastest returns the level that this processor and its system reach: 1 for AVX, 2 for AVX-512.
func fastest() int {
	switch x := &cpu.X86; {
	case x.HasAVX512F && x.HasAVX512VL:
		return 2
	case x.HasAVX:
		return 1
	}
	return 0
}

func blocksAt(level int, t *[blockWords]uint32, even, odd, x, v []uint32) {
	var table *uint32
	if v != nil {
		table = &v[0]
	}

	switch pairs := len(x) / (2 * blockWords); level {
	case 2:
		blocksAVX512(&t[0], &even[0], &odd[0], &x[0], table, pairs)
	case 1:
		blocksAVX(&t[0], &even[0], &odd[0], &x[0], table, pairs)
	default:
		blocksGeneric(t, even, odd, x, v)
	}
}

//go:noescape
func blocksAVX512(t, even, odd, x, v *uint32, pairs int)

//go:noescape
func blocksAVX(t, even, odd, x, v *uint32, pairs int)
