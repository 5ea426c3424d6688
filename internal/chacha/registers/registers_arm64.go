// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build arm64 && gc && !purego

package registers

// Fill sets each bit of V0 to V31.
func Fill()

// Read reads V0 to V31.
//
//go:noescape
func Read(to *[32][16]byte)
