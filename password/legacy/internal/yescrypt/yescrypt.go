// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package yescrypt computes yescrypt, the password hash of most Linux distributions, in memory that
// its caller provides. It is portable code and not meant for new hashes. It has the settings that
// crypt_gensalt writes: YESCRYPT_RW of one lane, without more passes, hash upgrades or a ROM. It
// follows yescrypt-ref.c of https://github.com/openwall/yescrypt; numbers in comments are its
// steps.
package yescrypt

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"

	"fount/internal/erase"
	"fount/internal/turn"
	"fount/password/internal/mac"
)

// Params are a hash's costs: its table has N = 2^Cost blocks of 128·R bytes.
type Params struct{ Cost, R int }

// Valid reports whether Cost is 2 to 31 and R 1 to 255, so that a hash takes less than 2^62 ns.
// Other functions need valid Params.
func (p Params) Valid() bool { return p.Cost >= 2 && p.Cost <= 31 && p.R >= 1 && p.R <= 255 }

// Memory returns how many bytes Key needs: the S-boxes, a block to work on, and the table.
func (p Params) Memory() int64 { return boxBytes + (1+int64(1)<<p.Cost)*128*int64(p.R) }

// Work returns how often Key mixes 128 bytes: R times for each block of the table, and 96 times for
// the S-boxes.
func (p Params) Work() int64 {
	n := int64(1) << p.Cost
	work := (n+looks(n))*int64(p.R) + boxBytes/128
	if first := p.first(); first.Cost > 0 {
		work += first.Work()
	}
	return work
}

// looks returns how many blocks of n are looked up: Nloop of step 2, rounded in steps 4 and 10.
func looks(n int64) int64 { return ((n+2)/3 + 1) &^ 1 }

// first returns the parameters of the prehash that large hashes have, or zero Params. (With it, a
// server can leave most of the work to its clients.)
func (p Params) first() Params {
	if n := int64(1) << p.Cost; n < 0x100 || n*int64(p.R) < 0x20000 {
		return Params{}
	}
	return Params{p.Cost - 6, p.R}
}

// Key returns the sum of password and salt, 32 bytes. It calls yield each LookEvery blocks, and
// returns nil if yield is false. If yield is nil, package turn yields. memory must have Memory zero
// bytes from package erase; Key does not wipe them.
func Key(p Params, password, salt, memory []byte, yield func() bool) []byte {
	defer mac.ScrubStack()
	words := erase.As[uint64](memory)
	if first := p.first(); first.Cost > 0 {
		sum := first.key("yescrypt-prehash", password, salt, words, yield)
		if sum == nil {
			return nil
		}
		defer erase.Wipe(sum)
		password = sum
	}

	sum := p.key("yescrypt", password, salt, words, yield)
	if sum == nil {
		return nil
	}
	defer erase.Wipe(sum)

	client := mac.HMAC(sha256.New, sum, []byte("Client Key")) // SCRAM's (RFC 5802, section 3)
	defer erase.Wipe(client)
	stored := sha256.Sum256(client)
	return stored[:]
}

// key is yescrypt_kdf_body without its last step. label is the key of the HMAC that is taken of the
// password first.
func (p Params) key(label string, password, salt []byte, memory []uint64, yield func() bool) []byte {
	password = mac.HMAC(sha256.New, []byte(label), password)
	defer erase.Wipe(password)

	b := mac.PBKDF2(sha256.New, password, salt, 1, 128*p.R, yield)
	if b == nil {
		return nil
	}
	defer erase.Wipe(b)
	copy(password, b)

	s := smix{box: box{words: memory[:boxBytes/8]}, x: memory[boxBytes/8:][:16*p.R]}
	s.table = memory[boxBytes/8+16*p.R:]
	s.turn.StartCalling(LookEvery, yield)

	if !s.run(b, password, int64(1)<<p.Cost) {
		return nil
	}

	return mac.PBKDF2(sha256.New, password, b, 1, 32, yield)
}

// LookEvery is how many blocks of 64 bytes are mixed between two calls of yield: 0.05 to 0.1 ms.
const LookEvery = 1 << 10

// A smix is the loops over the table.
type smix struct {
	box   box
	x     []uint64 // the block that is worked on, 16·R words
	table []uint64
	turn  turn.Turn
}

// run mixes b in place with a table of n blocks, and changes password, 32 bytes. It returns false
// if it was given up.
func (s *smix) run(b, password []byte, n int64) bool {
	if !s.fillBox(b[:128]) {
		return false
	}

	next := mac.HMAC(sha256.New, b[len(b)-64:], password) // 24
	copy(password, next)
	erase.Wipe(next)
	load(s.x, b)

	for i := range n { // SMix1: each block depends on one before it
		copy(s.block(i), s.x)
		if i > 1 {
			power := int64(1) << (bits.Len64(uint64(i)) - 1) // the largest that is not above i
			xor(s.x, s.block(s.integer()&(power-1)+i-power))
		}
		if !s.mix() {
			return false
		}
	}

	for range looks(n) { // SMix2 replaces each block that it reads
		read := s.block(s.integer() & (n - 1))
		xor(s.x, read)
		copy(read, s.x)
		if !s.mix() {
			return false
		}
	}

	store(b, s.x)
	return true
}

// fillBox is SMix1 of 128 bytes with the S-boxes as its table: steps 18 to 22.
func (s *smix) fillBox(b []byte) bool {
	x := (*[16]uint64)(s.x)
	load(x[:], b)
	for at := 0; at < len(s.box.words); at += len(x) {
		copy(s.box.words[at:], x[:])
		mixSalsa8(x)
		if !s.turn.Did(2) {
			return false
		}
	}

	store(b, x[:])
	s.box.s2 = (*[boxWords]uint64)(s.box.words)
	s.box.s1 = (*[boxWords]uint64)(s.box.words[boxWords:])
	s.box.s0 = (*[boxWords]uint64)(s.box.words[2*boxWords:])
	return true
}

// block returns block i of the table.
func (s *smix) block(i int64) []uint64 {
	width := len(s.x)
	return s.table[int(i)*width:][:width:width]
}

// integer is Integerify. Its low bits are enough, as N is below 2^32.
func (s *smix) integer() int64 { return int64(uint32(s.x[len(s.x)-8])) }

// mix is BlockMix with pwxform.
func (s *smix) mix() bool {
	s.box.mix(s.x)
	return s.turn.Did(len(s.x) / 8)
}

// load sets x to the lane's bytes in the order of Salsa20's vector implementations: word i of 16 is
// the standard's word 5·i mod 16.
func load(x []uint64, lane []byte) {
	word := func(block []byte, i int) uint64 { return uint64(binary.LittleEndian.Uint32(block[i*5%16*4:])) }
	for i := range x {
		block := lane[i/8*64:][:64]
		x[i] = word(block, i%8*2) | word(block, i%8*2+1)<<32
	}
}

// store is load's inverse.
func store(lane []byte, x []uint64) {
	for i, v := range x {
		block := lane[i/8*64:][:64]
		binary.LittleEndian.PutUint32(block[i%8*2*5%16*4:], uint32(v))
		binary.LittleEndian.PutUint32(block[(i%8*2+1)*5%16*4:], uint32(v>>32))
	}
}
