// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package mac computes HMAC (RFC 2104) and PBKDF2 (RFC 8018) with passwords as keys, and wipes what
// depends on the key. crypto/hmac keeps the key's states where no caller can wipe them, and panics
// for a key below 14 bytes under GODEBUG=fips140=only.
package mac

import (
	"crypto/subtle"
	"encoding"
	"encoding/binary"
	"hash"

	"fount/internal/erase"
	"fount/internal/turn"
)

// A MAC is HMAC under one key.
type MAC struct {
	inner, outer digest
	ipad, opad   []byte // the digest's state after the padded key
	blank        []byte // the digest's initial state
}

// A digest is MD5, SHA-1, SHA-2 or SHA-3 of the standard library.
type digest interface {
	hash.Hash
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// New returns a MAC under key, which it does not keep. The caller must wipe the MAC.
func New(newHash func() hash.Hash, key []byte) *MAC {
	ScrubStack() // grows the stack now, as Wipe can't reach the smaller one
	m := &MAC{inner: newHash().(digest), outer: newHash().(digest)}
	m.blank = state(m.inner)

	pad := make([]byte, m.inner.BlockSize())
	defer erase.Wipe(pad)
	if len(key) > len(pad) {
		m.inner.Write(key)
		m.inner.Sum(pad[:0])
		m.inner.Reset()
	} else {
		copy(pad, key)
	}

	m.ipad = padded(m.inner, pad, 0x36)
	m.opad = padded(m.outer, pad, 0x36^0x5c)
	return m
}

// padded adds with to each byte of pad, and returns d's state after it.
func padded(d digest, pad []byte, with byte) []byte {
	for i := range pad {
		pad[i] ^= with
	}
	d.Write(pad)
	return state(d)
}

// state returns d's state, which set restores. Go's hashes return no error.
func state(d digest) []byte {
	b, _ := d.AppendBinary(make([]byte, 0, 256)) // SHA-512 has 204 bytes
	return b
}

func set(d digest, state []byte) {
	if err := d.UnmarshalBinary(state); err != nil {
		panic("mac: state of a hash: " + err.Error())
	}
}

// Write adds to the message.
func (m *MAC) Write(p []byte) { m.inner.Write(p) }

// Sum appends the HMAC of the message to b and begins the next message.
func (m *MAC) Sum(b []byte) []byte {
	n := len(b)
	b = m.inner.Sum(b)

	set(m.outer, m.opad)
	m.outer.Write(b[n:])
	b = m.outer.Sum(b[:n])

	set(m.inner, m.ipad)
	return b
}

// Wipe overwrites all that depends on the key. The MAC must not be used after it.
func (m *MAC) Wipe() {
	set(m.inner, m.blank)
	set(m.outer, m.blank)
	erase.Wipe(m.ipad)
	erase.Wipe(m.opad)
	ScrubStack()
}

// ScrubStack overwrites what functions called before it have left on the stack: the standard
// library's Sum works on a copy of the state there.
//
//go:noinline
func ScrubStack() {
	var b [2 << 10]byte // Sum and what it calls take less than half of that
	erase.Wipe(b[:])
}

// HMAC returns the HMAC of one message.
func HMAC(newHash func() hash.Hash, key, message []byte) []byte {
	m := New(newHash, key)
	defer m.Wipe()

	m.Write(message)
	return m.Sum(nil)
}

// LookEvery is how many HMACs are computed between two looks at the clock: 0.05 ms of SHA-256.
const LookEvery = 128

// PBKDF2 returns n bytes of PBKDF2 under password, or nil if yield returned false. It calls yield
// each LookEvery HMACs.
func PBKDF2(newHash func() hash.Hash, password, salt []byte, iterations uint32, n int,
	yield func() bool) []byte {
	m := New(newHash, password)
	defer m.Wipe()

	var t turn.Turn
	t.StartCalling(LookEvery, yield)
	return m.PBKDF2(salt, iterations, n, &t)
}

// PBKDF2 returns n bytes of PBKDF2 (RFC 8018, section 5.2) under m's key, or nil if turn is given
// up. The unit of turn is an HMAC.
func (m *MAC) PBKDF2(salt []byte, iterations uint32, n int, turn *turn.Turn) []byte {
	size := m.inner.Size()
	sum := make([]byte, (n+size-1)/size*size)
	number := make([]byte, 4) // here, to be allocated once, as u
	u := make([]byte, 0, size)
	defer erase.Wipe(u[:size])

	for at := 0; at < n; at += size {
		m.Write(salt)
		binary.BigEndian.PutUint32(number, uint32(at/size+1))
		m.Write(number)
		u = m.Sum(u[:0])
		block := sum[at:][:size]
		copy(block, u)
		turn.Did(1)

		for range iterations - 1 {
			if turn.GivenUp() {
				break
			}
			m.Write(u)
			u = m.Sum(u[:0])
			subtle.XORBytes(block, block, u)
			turn.Did(1)
		}

		if turn.GivenUp() {
			erase.Wipe(sum)
			return nil
		}
	}

	erase.Wipe(sum[n:])
	return sum[:n]
}
