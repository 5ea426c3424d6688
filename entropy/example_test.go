// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy_test

import (
	"fmt"

	"fount/entropy"
)

// What a program has of its own, from a hardware generator for instance, is mixed in and counts for nothing.
func ExampleAdd() {
	fromDevice := []byte{0x3a, 0x91, 0x5c, 0x07} // of a hardware generator
	entropy.Add("serial port 1", fromDevice)

	// Package pool does this, at the latest a minute later.
	entropy.Gather(func(name string, b []byte, creditBits int) {
		if name == "caller" {
			fmt.Printf("%s: %d bytes that count for %d bits\n", name, len(b), creditBits)
		}
	})
	// Output: caller: 64 bytes that count for 0 bits
}
