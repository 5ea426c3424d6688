// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build amd64 && gc && !purego

package registers

// Fill256 sets each bit of Y0 to Y15, which takes AVX2. When it has returned, Go has cleared X15.
func Fill256()

// Read256 reads Y0 to Y15. Of Y15 it sees the high half only: Go clears X15 before a call.
//
//go:noescape
func Read256(to *[16][32]byte)

// Fill512 and Read512 are the same for Z0 to Z31, which take AVX512F.
func Fill512()

//go:noescape
func Read512(to *[32][64]byte)
