// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// AVX-512 and AVX2 for amd64. The assembly is generated: _asm/main.go says how it works.

//go:build amd64 && gc && !purego

package argon2

import "golang.org/x/sys/cpu"

//go:generate env GOWORK=off go -C _asm run . -out ../compress_amd64.s

// fastest returns the level that this processor and its system reach: 1 for AVX2, 2 for AVX-512.
func fastest() int {
	switch x := &cpu.X86; {
	case x.HasAVX512F && x.HasAVX512VL:
		return 2
	case x.HasAVX2:
		return 1
	}
	return 0
}

// assembly is compress for a level above 0.
func assembly(level int, out, x, y *Block, xor bool, z *Block, next *window) {
	if level == 2 {
		compressAVX512(out, x, y, xor, next)
	} else {
		compressAVX2(out, x, y, xor, z, next)
	}
}

//go:noescape
func compressAVX512(out, x, y *Block, xor bool, next *window)

//go:noescape
func compressAVX2(out, x, y *Block, xor bool, z *Block, next *window)

// fetchBlock prefetches b.
//
//go:noescape
func fetchBlock(b *Block)
