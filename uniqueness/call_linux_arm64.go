// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !purego

package uniqueness

// The function's name, and the first Linux that has it.
const (
	getrandomSymbol = "__kernel_getrandom"
	getrandomSince  = "6.12"
)
