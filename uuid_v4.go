// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !amd64 || !gc || purego

package fount

// setV4 sets version 4 and its variant in 128 random bits (RFC 9562, section
// 5.4).
func setV4(u *UUID) {
	u[6] = u[6]&0x0f | 4<<4
	u[8] = u[8]&0x3f | 0b10<<6
}
