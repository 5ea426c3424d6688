// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The jitter source's clock.

//go:build gc && !purego

package entropy

// ticks reads the time stamp counter after all loads before it are done. It is of
// use where the system's clock is coarse (Windows: 0.5 ms). clock_other.go is its
// twin.
//
//go:noescape
func ticks() uint64
