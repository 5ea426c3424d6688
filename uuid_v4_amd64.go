// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build gc && !purego

package fount

// setV4 sets version 4 and its variant in 128 random bits (RFC 9562, section
// 5.4).
//
// It is assembly (uuid_amd64.s) because Go can only copy 16 bytes at a time. After Go's stores to
// two single bytes, the next load of all 16 waits until both have reached the cache (Intel
// Optimization Reference Manual, "Store Forwarding"). That costs 3.6 of 17.5 ns for a UUID, and 12
// of 69 for one as a string. The Go code in uuid_v4.go passes the same tests.
//
//go:noescape
func setV4(u *UUID)

// encode sets text to the text form of u.
//
// It is assembly because SSE2, which every amd64 processor has, makes 16 digits with as many
// instructions as Go needs for 8. The Go code in uuid_v4.go passes the same tests. Digits are
// computed in registers and not looked up, because a UUID may be a secret.
//
//go:noescape
func encode(text *[uuidLen]byte, u *UUID)
