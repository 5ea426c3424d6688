// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package binaryread

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"io"
	mathrand "math/rand"
	"os"
)

func dropped() uint64 {
	var n uint64
	binary.Read(rand.Reader, binary.LittleEndian, &n) // want `binary.Read allocates.*\(binaryread\)`
	return n
}

func checked() (int64, error) {
	var seed int64
	if err := binary.Read(rand.Reader, binary.BigEndian, &seed); err != nil { // want "binary.Read allocates"
		return 0, err
	}
	return seed, nil
}

func named() mathrand.Source {
	var n uint32
	_ = binary.Read(rand.Reader, binary.LittleEndian, &n) // want "binary.Read allocates"
	return mathrand.NewSource(int64(n))
}

func fatal() (buf uint16) {
	if err := binary.Read(rand.Reader, binary.LittleEndian, &buf); err != nil { // want "binary.Read allocates"
		panic(err)
	}
	return
}

func others() error {
	var all [4]uint64
	var n uint64
	err := binary.Read(rand.Reader, binary.LittleEndian, &all)                // want "binary.Read allocates"
	if err := binary.Read(rand.Reader, binary.LittleEndian, &n); err != nil { // want "binary.Read allocates"
		println(err)
	}
	return err
}

// What follows is right.

type header struct {
	Magic uint32
	Size  uint64
}

func right(conn io.Reader) {
	var n uint64
	var h header
	binary.Read(conn, binary.LittleEndian, &n)
	binary.Read(bytes.NewReader(nil), binary.LittleEndian, &n)
	binary.Read(os.Stdin, binary.LittleEndian, &h)
	binary.Read(rand.Reader, binary.LittleEndian, &h) // a struct has fields, for which binary.Read is made
	var b [8]byte
	rand.Read(b[:])
	n = binary.LittleEndian.Uint64(b[:])
}
