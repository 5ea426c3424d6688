// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// AVX-512 and AVX2 for amd64. The assembly is generated: _asm/main.go says how it works.
//
// Cycles per byte on Cascade Lake, best of 400 batches of 100 calls, at the clock measured under
// each:
//
//	            8 KiB   1 KiB refill   256 B refill
//	AVX-512     0.53    0.58           -              2.7 GHz
//	AVX-512VL   0.75    0.78           1.24           3.1 GHz
//	AVX2        1.17    1.17           1.61           3.1 GHz
//	portable    5.8     5.8            6.0            3.1 GHz
//
// The functions named columns are bound by the ports of vector operations (0.48, 0.64 and 0.88
// cycles a byte at best), those named rows by latency: 24 cycles a double round.

//go:build amd64 && gc && !purego

package chacha

import "golang.org/x/sys/cpu"

//go:generate env GOWORK=off go -C _asm run . -out ../keystream_amd64.s

// implementations has the names of the implementations, each faster than the one before it.
var implementations = []string{"portable", "AVX2", "AVX-512VL", "AVX-512"}

const (
	avx2 = 1 + iota
	avx512vl
	avx512
)

// fastest returns the best implementations for this processor and system.
//
// Skylake-X, Cascade Lake and Cooper Lake lower the clock of a core for most of a millisecond at a
// 512-bit instruction, Cascade Lake from 3.1 to 2.7 GHz. There a refill of 1 KiB takes 220 ns in
// 512-bit vectors and 256 ns in 256-bit ones. But with 260 ns of other work for each refill the
// sums are equal, 509 and 511 ns, and with 650 ns they are 953 and 896. So these processors, which
// have AVX512VL but not AVX512IFMA, use 256 bits for refills and 512 for long reads.
func fastest() (all, refills int32) {
	x := &cpu.X86
	switch {
	case x.HasAVX512F && x.HasAVX512VL && !x.HasAVX512IFMA:
		return avx512, avx512vl
	case x.HasAVX512F && x.HasAVX512VL:
		return avx512, avx512
	case x.HasAVX2:
		return avx2, avx2
	}
	return 0, 0
}

// maxShort is the length up to which Keystream runs what refills run, as it gains too little for a
// slower clock afterwards. One block a MiB in 512-bit vectors, for a node's pool, made each nonce
// of that MiB 1.8 ns slower (14.0 instead of 12.2).
const maxShort = 4 * blockSize

func keystream(dst []byte, key *[32]byte, counter uint32) {
	level := inUse
	if len(dst) <= maxShort {
		level = inRefills
	}

	if level == 0 {
		keystreamGeneric(dst, key, counter)
		return
	}

	if n := len(dst) &^ 1023; level == avx512 && n > 0 {
		columnsAVX512(&dst[0], n, key, counter)
		dst = dst[n:]
		counter += uint32(n / blockSize)
	}
	keystream256(level, dst, key, counter)
}

// keystream256 makes 8 blocks at a time, then 4, and the rest in a buffer.
func keystream256(level int32, dst []byte, key *[32]byte, counter uint32) {
	const eight, four = 8 * blockSize, 4 * blockSize

	if n := len(dst) &^ (eight - 1); n > 0 {
		columns256(level, &dst[0], n, key, counter)
		dst = dst[n:]
		counter += uint32(n / blockSize)
	}
	if len(dst) >= four {
		rows256(level, (*[four]byte)(dst), key, counter)
		dst = dst[four:]
		counter += four / blockSize
	}
	if len(dst) > 0 {
		var last [four]byte
		rows256(level, &last, key, counter)
		copy(dst, last[:])
		wipe4(&last)
	}
}

func refill(block *[1024]byte) {
	key := (*[32]byte)(block[:])
	switch level := inRefills; level {
	case 0:
		keystreamGeneric(block[:], key, 0)
	case avx512:
		columnsAVX512(&block[0], len(block), key, 0)
	default:
		columns256(level, &block[0], len(block), key, 0)
	}
}

func refillWindow(block *[256]byte) {
	key := (*[32]byte)(block[:])
	if level := inRefills; level == 0 {
		keystreamGeneric(block[:], key, 0)
	} else {
		rows256(level, block, key, 0)
	}
}

func columns256(level int32, dst *byte, n int, key *[32]byte, counter uint32) {
	if level == avx2 {
		columnsAVX2(dst, n, key, counter)
	} else {
		columnsVL(dst, n, key, counter)
	}
}

func rows256(level int32, dst *[256]byte, key *[32]byte, counter uint32) {
	if level == avx2 {
		rowsAVX2(dst, key, counter)
	} else {
		rowsVL(dst, key, counter)
	}
}

// columnsAVX512 writes n bytes of keystream to dst. n is a positive multiple of 1024. key may be in
// dst if n is 1024.
//
//go:noescape
func columnsAVX512(dst *byte, n int, key *[32]byte, counter uint32)

// columnsVL and columnsAVX2 write n bytes to dst. n is a positive multiple of 512. key may be the
// first 32 bytes of dst.
//
//go:noescape
func columnsVL(dst *byte, n int, key *[32]byte, counter uint32)

//go:noescape
func columnsAVX2(dst *byte, n int, key *[32]byte, counter uint32)

// rowsVL and rowsAVX2 write 4 blocks to dst. key may be in dst.
//
//go:noescape
func rowsVL(dst *[256]byte, key *[32]byte, counter uint32)

//go:noescape
func rowsAVX2(dst *[256]byte, key *[32]byte, counter uint32)

// wipe4 is wipe for 4 blocks.
//
//go:noinline
func wipe4(b *[4 * blockSize]byte) { *b = [4 * blockSize]byte{} }
