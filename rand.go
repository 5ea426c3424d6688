// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

import (
	"fount/internal/kernel"
	"fount/internal/shard"
)

// Read fills b, of any length, with random bytes. It always returns len(b) and a nil error. If the
// kernel gives no secure bytes, the process stops. Read does not allocate, and b does not escape.
// It may be called from any goroutine.
func Read(b []byte) (n int, err error) {
	shard.Read(b)
	return len(b), nil
}

// reader is Reader's type. It is unexported so that no other value can be assigned.
type reader struct{}

// Reader is an [io.Reader] whose Read is [Read]. Its type has only one value, so no package can
// replace it. No function of this package uses it.
//
// Since Go 1.26 TLS and the standard library's key generation ignore the Reader that they are
// given, so Reader makes neither faster.
var Reader reader

// Read calls [Read].
func (reader) Read(b []byte) (n int, err error) { return Read(b) }

// Nonce returns 16 random bytes. The probability that any two of n nonces are equal is about
// n²/2^129: for 2^48 of them, one in 2^33.
func Nonce() (b [16]byte) {
	shard.Read16(&b)
	return b
}

// Nonce12 returns 12 random bytes, the nonce size of AES-GCM and ChaCha20-Poly1305 (RFC 5116). Use
// one key with at most 2^32 random nonces of this size (NIST SP 800-38D, section 8.3). [Nonce24]
// has no such limit in practice.
func Nonce12() (b [12]byte) {
	shard.Read12(&b)
	return b
}

// Nonce24 returns 24 random bytes, the nonce size of XChaCha20-Poly1305.
func Nonce24() (b [24]byte) {
	shard.Read24(&b)
	return b
}

// Key returns 32 random bytes, a 256-bit key.
func Key() (b [32]byte) {
	shard.Read32(&b)
	return b
}

// Strict asks the kernel on each call and buffers nothing: it is as safe against clones as the
// kernel, and as slow. (On Plan 9 the kernel gives 18 bytes a second, so Strict uses a generator in
// the process, which clones repeat.) The zero Strict is ready to use, from any goroutine.
type Strict struct{}

// Read fills b from the kernel. It always returns len(b) and a nil error.
func (Strict) Read(b []byte) (n int, err error) {
	kernel.Read(b)
	return len(b), nil
}

// Nonce returns 16 bytes from the kernel.
func (Strict) Nonce() (b [16]byte) {
	kernel.Read(b[:])
	return b
}

// Key returns 32 bytes from the kernel.
func (Strict) Key() (b [32]byte) {
	kernel.Read(b[:])
	return b
}

// Reseed makes every generator take a new seed from the kernel before it serves again: a draw that
// begins after Reseed returns uses only bytes made after the call. Call it after a restore that
// changes no counter: CRIU, SnapStart, or in mode "window" (see [Status]) a snapshot of the
// machine. It costs each P one refill and does not block. It may be called from any goroutine.
func Reseed() { shard.Reseed() }
