// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Builds without assembly have only the portable code.

//go:build (!amd64 && !arm64) || !gc || purego

package chacha

var implementations = []string{"portable"}

func fastest() (all, refills int32) { return 0, 0 }

func keystream(dst []byte, key *[32]byte, counter uint32) { keystreamGeneric(dst, key, counter) }

func refill(block *[1024]byte) { keystreamGeneric(block[:], (*[32]byte)(block[:]), 0) }

func refillWindow(block *[256]byte) { keystreamGeneric(block[:], (*[32]byte)(block[:]), 0) }
