// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package processor

import "golang.org/x/sys/unix"

// CPUID returns what the kernel says of this processor in the auxiliary vector (getauxval(3)), which needs no /proc.
func CPUID() View {
	const atHWCAP2, hwcap2RNG = 26, 1 << 16 // Linux, arch/arm64/include/uapi/asm/hwcap.h
	vector, err := unix.Auxv()
	if err != nil {
		return View{}
	}
	for _, entry := range vector {
		if entry[0] == atHWCAP2 {
			return View{RNDR: entry[1]&hwcap2RNG != 0}
		}
	}
	return View{}
}
