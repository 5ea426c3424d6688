// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package blowfish

import "encoding/binary"

// The words of a state: eighteen subkeys, then four tables of 256, in the order of the key
// schedule.
const (
	subkeys = 18
	box0    = subkeys
	box1    = box0 + 256
	box2    = box1 + 256
	box3    = box2 + 256
	words   = box3 + 256
)

// A state is a Blowfish cipher under a key (Schneier, "Description of a New Variable-Length Key,
// 64-Bit Block Cipher (Blowfish)", 1993).
type state [words]uint32

// A schedule is a key or a salt as the subkeys take it: its bytes, repeated, as eighteen big-endian
// words.
type schedule [subkeys]uint32

// set repeats b, which must not be empty, over the schedule.
func (w *schedule) set(b []byte) {
	j := 0
	for i := range w {
		for range 4 {
			w[i] = w[i]<<8 | uint32(b[j])
			j = (j + 1) % len(b)
		}
	}
}

// f is the round function: a lookup in each table by one byte of x.
func (s *state) f(x uint32) uint32 {
	return ((s[box0+uint(x>>24)] + s[box1+uint(byte(x>>16))]) ^ s[box2+uint(byte(x>>8))]) + s[box3+uint(byte(x))]
}

// encrypt encrypts one block.
func (s *state) encrypt(l, r uint32) (uint32, uint32) {
	l ^= s[0]
	for i := 1; i < 17; i += 2 {
		r ^= s.f(l) ^ s[i]
		l ^= s.f(r) ^ s[i+1]
	}
	return r ^ s[17], l
}

// start sets s to bcrypt's first state: the initial one after a key schedule that mixes the salt
// into what it encrypts (Provos and Mazières, "A Future-Adaptable Password Scheme", 1999, section
// 4). It happens once in a hash, so one lane at a time will do.
func (s *state) start(key, salt *schedule) {
	*s = initial
	for i := range key {
		s[i] ^= key[i]
	}
	var l, r uint32
	for n := 0; n < words; n += 2 {
		l, r = s.encrypt(l^salt[n%4], r^salt[n%4+1])
		s[n], s[n+1] = l, r
	}
}

// magic is the plain text that bcrypt encrypts at the end.
const magic = "OrpheanBeholderScryDoubt"

// sum writes the hash: magic, each block encrypted 64 times, without its last byte.
func (s *state) sum(dst *[23]byte) {
	var text [len(magic)]byte
	for i := 0; i < len(magic); i += 8 {
		l, r := binary.BigEndian.Uint32([]byte(magic[i:])), binary.BigEndian.Uint32([]byte(magic[i+4:]))
		for range 64 {
			l, r = s.encrypt(l, r)
		}
		binary.BigEndian.PutUint32(text[i:], l)
		binary.BigEndian.PutUint32(text[i+4:], r)
	}
	copy(dst[:], text[:])
}
