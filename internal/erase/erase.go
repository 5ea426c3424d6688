// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package erase keeps secrets where they can be wiped: in memory outside the
// garbage-collected heap, which no stack growth copies and no allocation reuses.
// It is not a vault: whoever can read the process's memory can read this too.
package erase

// Wipe overwrites b with zeros. It is kept out of line so that the compiler
// can't see that nobody reads b afterwards and drop the writes.
//
//go:noinline
func Wipe(b []byte) { clear(b) }
