// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !amd64 || !gc || purego

package fount

import "encoding/binary"

// setV4 sets version 4 and its variant in 128 random bits (RFC 9562, section
// 5.4).
func setV4(u *UUID) {
	u[6] = u[6]&0x0f | 4<<4
	u[8] = u[8]&0x3f | 0b10<<6
}

// encode sets text to the text form of u. Digits are computed and not looked up, because a UUID may
// be a secret (see Alphabets in id.go). Words are little-endian, which saves amd64 byte swaps.
func encode(text *[uuidLen]byte, u *UUID) {
	le := binary.LittleEndian
	le.PutUint64(text[0:], hex8(le.Uint32(u[0:])))
	text[8] = '-'

	b := hex8(le.Uint32(u[4:]))
	le.PutUint32(text[9:], uint32(b))
	text[13] = '-'
	le.PutUint32(text[14:], uint32(b>>32))
	text[18] = '-'

	c := hex8(le.Uint32(u[8:]))
	le.PutUint32(text[19:], uint32(c))
	text[23] = '-'
	le.PutUint32(text[24:], uint32(c>>32))
	le.PutUint64(text[28:], hex8(le.Uint32(u[12:])))
}

// hex8 returns the eight hexadecimal digits of four bytes. The first byte and digit are the lowest.
func hex8(v uint32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x>>4 | x<<8) & 0x0f0f0f0f0f0f0f0f
	letter := (x + (128-10)*ones) >> 7 & ones
	return x + '0'*ones + letter*('a'-10-'0')
}
