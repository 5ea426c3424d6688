// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build (!amd64 && !arm64) || !gc || purego

package argon2

func fastest() int { return 0 }

func assembly(level int, out, x, y *Block, xor bool, z *Block, next *window) {}

func fetchBlock(*Block) {}
