// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clib

import (
	"debug/elf"
	"slices"
)

// enough instructions of a kind are not chance: a round of argon2 has 4, its code 16 or more; data read as code has 1 in
// 500 KiB.
const enough = 12

// SIMD returns the widest kind of PMULUDQ in the code of a file: "AVX-512", "AVX2", "SSE2", or "none". Every argon2 in
// vectors needs that instruction. A library may choose a narrower one at run time. SIMD returns "" unless the file is an
// ELF for amd64.
func SIMD(file string) string {
	f, err := elf.Open(file)
	if err != nil || f.Machine != elf.EM_X86_64 {
		return ""
	}
	defer f.Close()
	var found []int
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_EXECINSTR == 0 {
			continue
		}
		code, err := s.Data()
		if err != nil {
			return ""
		}
		found = append(found, multiplications(code)...)
	}
	for width := range slices.Backward(widths) {
		if count(found, width) >= enough {
			return widths[width]
		}
	}
	return "none"
}

// widths are what multiplications finds, as indexes.
var widths = []string{"SSE2", "AVX2", "AVX-512"}

// multiplications returns the width of each PMULUDQ in the code: opcode F4 of map 0F with prefix 66, in its legacy
// encoding, in VEX with 256 bits, or in EVEX with 512 (Intel SDM, volume 2, sections 2.3.5, 2.7.1 and PMULUDQ).
func multiplications(code []byte) (found []int) {
	for i := 4; i < len(code); i++ {
		if code[i] != 0xf4 {
			continue
		}
		switch {
		case code[i-4] == 0x62 && code[i-3]&0x0f == 1 && code[i-2]&0x87 == 0x85 && code[i-1]>>5&3 == 2:
			found = append(found, 2) // EVEX: map 1; W=1, pp=01; L'L=10
		case code[i-2] == 0xc5 && code[i-1]&0x07 == 5, code[i-3] == 0xc4 && code[i-2]&0x1f == 1 && code[i-1]&0x07 == 5:
			found = append(found, 1) // VEX: L=1, pp=01
		case code[i-1] == 0x0f && (code[i-2] == 0x66 || code[i-2]>>4 == 4 && code[i-3] == 0x66):
			found = append(found, 0) // 66, perhaps REX, 0F
		}
	}
	return found
}

func count(all []int, which int) (n int) {
	for _, v := range all {
		if v == which {
			n++
		}
	}
	return n
}
