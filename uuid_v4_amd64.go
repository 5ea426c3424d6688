// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build gc && !purego

package fount

// setV4 sets version 4 and its variant in 128 random bits (RFC 9562, section
// 5.4).
//
// It is assembly (uuid_amd64.s) for one reason: a UUID is written and copied by
// 16 bytes at a time, and where two of these bytes were changed alone, the next
// load of all 16 waits until both stores have reached the cache. That costs 3.6
// of 17.5 ns for a UUID, and 12 of 69 for one as a string (Intel Optimization
// Reference Manual, "Store Forwarding"). Go has no operation on 16 bytes but the
// copy. Its twin in uuid_v4.go passes the same tests.
//
//go:noescape
func setV4(u *UUID)

// encode sets text to the text form of u.
//
// It is assembly because SSE2, which every amd64 processor has, makes 16 digits
// by as many instructions as Go's words make 8 by. Its twin in uuid_v4.go passes
// the same tests. The digits are computed in registers and not looked up: a UUID
// may be somebody's secret.
//
//go:noescape
func encode(text *[uuidLen]byte, u *UUID)
