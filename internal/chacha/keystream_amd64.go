// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// AVX-512 and AVX2 for amd64. The assembly is generated: _asm/main.go says how it works.
//
// Cycles per byte on Cascade Lake, best of 400 batches of 100 calls, at the clock measured under each:
//
//	            1 KiB refill   256 B refill   8 KiB
//	AVX-512     0.58           1.05           0.56    2.7 GHz
//	AVX-512VL   0.81           1.23           0.79    3.1 GHz
//	AVX2        1.16           1.60           1.17    3.1 GHz
//	portable    5.85           6.0            5.80    3.1 GHz
//
// The bound for AVX-512 is 0.51: 960 operations of the rounds, 13 additions and 64 shuffles on two ports
// are 518 cycles for 1024 bytes. A double round takes 49.7 cycles of 48 possible. What is left between
// are the shuffles, which only one of the ports does and which overlap with little. Two ways around were
// tried: computing once what the first column rounds of all blocks share saves 36 operations and no time;
// storing 128-bit lanes instead of shuffling them saves 1 %.
//
// The bounds for AVX-512VL and AVX2 are 0.67 and 0.88, on three ports. Their double rounds take 38 and 55
// cycles of 32 and 43: the processor binds an operation to a port before it knows what else is ready.
// Other orders of the same instructions gained at most 1 %.

//go:build amd64 && gc && !purego

package chacha

import "golang.org/x/sys/cpu"

//go:generate env GOWORK=off go -C _asm run . -out ../keystream_amd64.s

// ladder names the implementations, each faster than the one before it.
var ladder = []string{"portable", "AVX2", "AVX-512VL", "AVX-512"}

const (
	avx2 = 1 + iota
	avx512vl
	avx512
)

// fastest returns how far up the ladder this processor and its system reach. What each step needs
// besides its name: AVX512BW for masked stores of bytes, BMI2 for the mask.
func fastest() int32 {
	x := &cpu.X86
	switch {
	case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VL && x.HasBMI2:
		return avx512
	case x.HasAVX2:
		return avx2
	}
	return 0
}

// throttled reports whether the processor lowers the clock of a whole core for most of a millisecond
// when it meets a 512-bit instruction: Skylake-X, Cascade Lake and Cooper Lake, which are one model.
//
// Cascade Lake goes from 3.1 to 2.7 GHz. A refill of 1 KiB in 512-bit vectors takes 222 ns there and in
// 256-bit vectors 266, but with 330 ns of other work for each refill the sums are equal, and with 650 ns
// they are 951 and 902: there, refills are better off with 256 bits.
func throttled() bool {
	const familyAndModel, skylakeX = 0x0fff0ff0, 0x00050650
	return fastest() == avx512 && processor()&familyAndModel == skylakeX
}

func keystream(dst []byte, key *[32]byte, counter uint32) {
	switch level := inUse.Load(); level {
	case avx512:
		if len(dst) > 0 {
			fillAVX512(&dst[0], len(dst), key, counter)
		}
	case avx512vl, avx2:
		keystream256(level, dst, key, counter)
	default:
		keystreamGeneric(dst, key, counter)
	}
}

// keystream256 makes 8 blocks at a time, then 4, and what is less than 4 by way of a buffer.
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
	switch inRefills.Load() {
	case avx512:
		fillAVX512(&block[0], len(block), key, 0)
	case avx512vl:
		columnsVL(&block[0], len(block), key, 0)
	case avx2:
		columnsAVX2(&block[512], 512, key, 8) // first, as the key lies in the other half
		columnsAVX2(&block[0], 512, key, 0)
	default:
		keystreamGeneric(block[:], key, 0)
	}
}

func refillWindow(block *[256]byte) {
	key := (*[32]byte)(block[:])
	switch level := inRefills.Load(); level {
	case avx512:
		fillAVX512(&block[0], len(block), key, 0)
	case avx512vl, avx2:
		rows256(level, block, key, 0)
	default:
		keystreamGeneric(block[:], key, 0)
	}
}

func columns256(level int32, dst *byte, n int, key *[32]byte, counter uint32) {
	if level == avx512vl {
		columnsVL(dst, n, key, counter)
	} else {
		columnsAVX2(dst, n, key, counter)
	}
}

func rows256(level int32, dst *[256]byte, key *[32]byte, counter uint32) {
	if level == avx512vl {
		rowsVL(dst, key, counter)
	} else {
		rowsAVX2(dst, key, counter)
	}
}

// fillAVX512 writes n bytes of keystream, 1 or more, to dst. If n is 1024 or less, key may lie in dst.
//
//go:noescape
func fillAVX512(dst *byte, n int, key *[32]byte, counter uint32)

// columnsVL writes n bytes, a multiple of 512 and not 0, to dst. key may lie in dst.
//
//go:noescape
func columnsVL(dst *byte, n int, key *[32]byte, counter uint32)

// columnsAVX2 writes n bytes, a multiple of 512 and not 0, to dst. If n is 512, key may be the first 32
// bytes of dst.
//
//go:noescape
func columnsAVX2(dst *byte, n int, key *[32]byte, counter uint32)

// rowsVL and rowsAVX2 write 4 blocks to dst. key may lie in dst.
//
//go:noescape
func rowsVL(dst *[256]byte, key *[32]byte, counter uint32)

//go:noescape
func rowsAVX2(dst *[256]byte, key *[32]byte, counter uint32)

// processor returns family, model and stepping: EAX of CPUID's leaf 1.
func processor() uint32
