// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The portable code alone, where there is no assembly.

//go:build (!amd64 && !arm64) || !gc || purego

package argon2

var ladder = []string{"portable"}

func fastest() int { return 0 }

func compressAt(level int, out, x, y *Block, xor bool, z *Block, next *window) {
	compressGeneric(out, x, y, xor, z)
	next.follow(out)
}

func fetch(*Block) {}
