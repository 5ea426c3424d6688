// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build amd64 || 386

package processor

import "golang.org/x/sys/cpu"

// CPUID returns what this processor says.
func CPUID() View { return View{RDRAND: cpu.X86.HasRDRAND, RDSEED: cpu.X86.HasRDSEED} }
