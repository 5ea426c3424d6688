// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package binaryread

import (
	"crypto/rand"
	"encoding/binary"
	"net/netip"
)

type pair[A any] uint64

func generic() pair[netip.Addr] {
	var n pair[netip.Addr]
	binary.Read(rand.Reader, binary.LittleEndian, &n) // want "binary.Read allocates"
	return n
}

func shadowed() int64 {
	int64 := int64(0)
	binary.Read(rand.Reader, binary.LittleEndian, &int64) // want "binary.Read allocates"
	return int64
}

// A goto does not jump over declarations.
func jumpedOver() uint32 {
	var n uint32
	if n == 0 {
		goto end
	}
	binary.Read(rand.Reader, binary.LittleEndian, &n) // want "binary.Read allocates"
end:
	return n
}
