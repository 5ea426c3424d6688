// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pool

// Key derivation: NIST SP 800-56C rev. 2, section 4.1, the one-step function
// with SHA-512. Block i of the result is
//
//	K(i) = SHA-512(i as 4 bytes, big-endian; Z; FixedInfo)
//
// where Z is the secrets and FixedInfo a label, and in a node's case its index. Block
// 0, which the standard does not use, is what hashes input in. All parts but that
// input have a fixed length and the labels differ, so no two uses hash the same
// message unless they hash the same secrets for the same purpose.
//
// It is SHA-512 in one call over our own memory, not BLAKE2s, HMAC or HKDF, whose
// packages keep keys in heap objects that can't be wiped. (What SHA-512 leaves in dead
// stack frames can't be wiped either.) A state is twice as wide as any key here, so it
// keeps 256 bits however often it is hashed. A block costs 0.3 µs.

import (
	"crypto/sha512"
	"encoding/binary"

	"fount/internal/erase"
)

const (
	keySize  = 32
	hashSize = sha512.Size
)

const (
	inputLabel = "fount input"
	nodeLabel  = "fount node"
	seedLabel  = "fount seed"
)

// A message is what is hashed, in memory that never grows and is wiped afterwards.
type message []byte

// begin starts block i of a derivation in memory.
func begin(memory []byte, i uint32) message { return binary.BigEndian.AppendUint32(memory[:0], i) }

// again makes the same message block i.
func (m message) again(i uint32) { binary.BigEndian.PutUint32(m, i) }

// sum fills dst from the front of the message's hash.
func (m message) sum(dst []byte) {
	h := sha512.Sum512(m)
	copy(dst, h[:])
	erase.Wipe(h[:])
}
