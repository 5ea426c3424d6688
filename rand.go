// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

import (
	"fount/internal/kernel"
	"fount/internal/shard"
)

// Read fills b with random bytes. It always returns len(b) and a nil error, for
// any length; if the kernel gives no secure bytes, the process stops. It does
// not allocate, and b does not escape. It may be called from any goroutine.
func Read(b []byte) (n int, err error) {
	shard.Read(b)
	return len(b), nil
}

// reader is Reader's type, unexported so that no other value can be assigned.
type reader struct{}

// Reader is Read as an [io.Reader], for code that takes one. Its type has a
// single value, so no package can replace it, and no function of this package
// goes through it.
//
// Since Go 1.26 TLS and the standard library's key generation ignore the
// Reader they are given: this one makes neither faster.
var Reader reader

// Read is [Read].
func (reader) Read(b []byte) (n int, err error) { return Read(b) }

// Nonce returns 16 random bytes. The odds that any two of n nonces are equal
// are about n²/2^129: for 2^48 of them, one in 2^33.
func Nonce() (b [16]byte) {
	shard.Read16(&b)
	return b
}

// Nonce12 returns 12 random bytes, the nonce size of AES-GCM and
// ChaCha20-Poly1305 (RFC 5116). Use one key for at most 2^32 random nonces of
// this size (NIST SP 800-38D, section 8.3); Nonce24 has no such limit in
// practice.
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

// Strict asks the kernel on each call and keeps nothing: it is as safe against
// clones as the kernel itself, and costs as much. (On Plan 9, where the kernel
// gives 18 bytes a second, a generator of the process stands in for it, and
// clones repeat what it gives.) Its zero value is ready to use, from any goroutine.
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

// Reseed makes every generator of the process draw a new key from the kernel
// before it serves again: a draw that begins after Reseed returns uses only
// bytes keyed after it. Call it after a restore that nothing else announces:
// CRIU, SnapStart, a snapshot of the virtual machine. It costs each P one refill
// and does not wait. It may be called from any goroutine.
func Reseed() { shard.Reseed() }
