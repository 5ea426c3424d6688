// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build amd64 && !purego

package blowfish

import "golang.org/x/sys/cpu"

// inAssembly has the kernels for processors with BMI2 (Haswell, 2013; Zen, 2017), by k.
var inAssembly = [MaxLanes + 1]kernel{
	1: expandAsm1, 2: expandAsm2, 3: expandAsm3, 4: expandAsm4, 5: expandAsm5,
}

// relativeInAssembly has their times on Cascade Lake.
var relativeInAssembly = times{1: 1, 2: 1.09, 3: 1.23, 4: 1.43, 5: 1.66}

// forThisCPU returns the fastest kernels for this processor, and times to assume if measuring
// fails.
func forThisCPU() ([MaxLanes + 1]kernel, times) {
	if cpu.X86.HasBMI2 {
		return inAssembly, relativeInAssembly
	}
	return inGo, relativeInGo
}

//go:noescape
func expandAsm1(s *states)

//go:noescape
func expandAsm2(s *states)

//go:noescape
func expandAsm3(s *states)

//go:noescape
func expandAsm4(s *states)

//go:noescape
func expandAsm5(s *states)
