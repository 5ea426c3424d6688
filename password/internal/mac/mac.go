// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package mac computes HMAC (RFC 2104) and PBKDF2 (RFC 8018) and leaves nothing of the key behind. It is
// no replacement of crypto/hmac, which is for keys that are no passwords.
package mac

import (
	"encoding"
	"hash"

	"fount/internal/erase"
)

// A MAC is HMAC under one key. crypto/hmac
// keeps the key's states where no caller can wipe them. And it panics for a key
// below 14 bytes where GODEBUG has fips140=only; here keys are passwords, which
// crypto/pbkdf2 takes in that mode at any length.
type MAC struct {
	inner, outer digest
	ipad, opad   []byte // the digest's state after the padded key
	blank        []byte // and before it
}

// A digest is what SHA-1, SHA-256, SHA-384 and SHA-512 of the standard library are.
type digest interface {
	hash.Hash
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// New returns a MAC under key, which it does not keep. The caller wipes it.
func New(newHash func() hash.Hash, key []byte) *MAC {
	ScrubStack() // it grows now, while nothing is on it, and not in Wipe, which would leave the smaller one as it is
	m := &MAC{inner: newHash().(digest), outer: newHash().(digest)}
	m.blank = m.state(m.inner)
	pad := make([]byte, m.inner.BlockSize())
	defer erase.Wipe(pad)
	if len(key) > len(pad) {
		m.inner.Write(key)
		m.inner.Sum(pad[:0])
		m.inner.Reset()
	} else {
		copy(pad, key)
	}
	xor(pad, 0x36)
	m.inner.Write(pad)
	m.ipad = m.state(m.inner)
	xor(pad, 0x36^0x5c)
	m.outer.Write(pad)
	m.opad = m.state(m.outer)
	return m
}

// xor changes each byte of b by the same.
func xor(b []byte, with byte) {
	for i := range b {
		b[i] ^= with
	}
}

// state returns what set takes. In Go's hashes neither fails.
func (m *MAC) state(d digest) []byte {
	b, err := d.AppendBinary(make([]byte, 0, 256)) // SHA-512 has 204 bytes
	if err != nil {
		panic("mac: state of a hash: " + err.Error())
	}
	return b
}

func (m *MAC) set(d digest, state []byte) {
	if err := d.UnmarshalBinary(state); err != nil {
		panic("mac: state of a hash: " + err.Error())
	}
}

// Write adds to the message.
func (m *MAC) Write(p []byte) { m.inner.Write(p) }

// Sum appends the code of the message to b and begins the next message.
func (m *MAC) Sum(b []byte) []byte {
	n := len(b)
	b = m.inner.Sum(b)
	m.set(m.outer, m.opad)
	m.outer.Write(b[n:])
	b = m.outer.Sum(b[:n])
	m.set(m.inner, m.ipad)
	return b
}

// Size returns how many bytes Sum appends.
func (m *MAC) Size() int { return m.inner.Size() }

// Wipe overwrites all that depends on the key. The MAC can't be used after it.
func (m *MAC) Wipe() {
	m.set(m.inner, m.blank)
	m.set(m.outer, m.blank)
	erase.Wipe(m.ipad)
	erase.Wipe(m.opad)
	ScrubStack()
}

// ScrubStack overwrites what the callee of its caller left on the stack: the
// standard library's Sum works on a copy of the state there.
//
//go:noinline
func ScrubStack() {
	var b [2 << 10]byte // Sum and what it calls take less than half of that
	erase.Wipe(b[:])
}
