// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Command draw takes 16 bytes of crypto/rand, which on Plan 9 reads /dev/random, and ends.
package main

import "crypto/rand"

func main() {
	var b [16]byte
	rand.Read(b[:])
}
