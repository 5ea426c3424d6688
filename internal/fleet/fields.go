// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fleet

import (
	"encoding/binary"
	"errors"
)

// A sealed part is a list of fields and zeros up to its length. A field is a tag, which is not 0, the length of its value in two
// bytes, and the value. No field stands twice. A reader skips fields that it does not know, so that a later version can add
// some, except those whose tag has the bit critical: it can't do what they ask.
const critical = 0x80

var (
	errFields   = errors.New("fleet: damaged fields")
	errCritical = errors.New("fleet: a field that must be understood")
)

func appendField(b []byte, tag byte, value []byte) []byte {
	b = append(b, tag)
	b = binary.BigEndian.AppendUint16(b, uint16(len(value)))
	return append(b, value...)
}

func appendNumber(b []byte, tag byte, n uint32) []byte {
	b = append(b, tag, 0, 4)
	return binary.BigEndian.AppendUint32(b, n)
}

// pad appends zeros up to size.
func pad(b []byte, size int) []byte {
	n := len(b)
	b = b[:size]
	clear(b[n:])
	return b
}

// readFields calls field with each field of b. field reports whether it knows the tag, and what is wrong with the value.
func readFields(b []byte, field func(tag byte, value []byte) (known bool, err error)) error {
	var had [256]bool
	for len(b) > 0 && b[0] != 0 {
		if len(b) < 3 {
			return errFields
		}
		tag, n := b[0], int(binary.BigEndian.Uint16(b[1:3]))
		if len(b) < 3+n || had[tag] {
			return errFields
		}
		had[tag] = true
		known, err := field(tag, b[3:3+n])
		if err != nil {
			return err
		}
		if !known && tag&critical != 0 {
			return errCritical
		}
		b = b[3+n:]
	}
	for _, c := range b {
		if c != 0 {
			return errFields
		}
	}
	return nil
}

// number reads the value of a field of 4 bytes.
func number(value []byte) (uint32, error) {
	if len(value) != 4 {
		return 0, errFields
	}
	return binary.BigEndian.Uint32(value), nil
}
