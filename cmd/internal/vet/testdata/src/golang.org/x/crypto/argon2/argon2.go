// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package argon2 has the signatures of the real one.
package argon2

func IDKey(password, salt []byte, time, memory uint32, threads uint8, keyLen uint32) []byte {
	panic("no body")
}
