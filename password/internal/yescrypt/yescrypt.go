// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package yescrypt computes yescrypt, the password hash of most Linux distributions, in memory that
// its caller keeps. It is not for new hashes, has no ROM and no hash upgrades, and is portable code
// alone. It follows yescrypt-ref.c, https://github.com/openwall/yescrypt: the steps that comments
// number are those there.
package yescrypt

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"fount/internal/erase"
	"fount/internal/turn"
	"fount/password/internal/mac"
)

// A Mode is which of three functions it is.
type Mode int

const (
	Classic Mode = iota // scrypt as in RFC 7914
	WORM                // scrypt with the time parameter
	RW                  // yescrypt as all makers set it: 6 rounds of 4 by 2 lanes, S-boxes of 12 KiB
)

// Params are what a hash says of its cost. The table has N = 2^Cost blocks of 128·R bytes.
type Params struct {
	Mode       Mode
	Cost, R, P int
	T          int // more passes: 0 in what is written today
}

// Valid reports whether p can be computed, and in less than 2^62 ns: Cost is 2 to 31, R and P are 1
// to 255, with R·P at most 255, whose 32 KiB are not in Memory, and T is 0 to 255; in RW each lane
// has 4 blocks of the table or more. Other functions' answers have no meaning unless it is.
func (p Params) Valid() bool {
	switch {
	case p.Cost < 2 || p.Cost > 31 || p.R < 1 || p.R > 255 || p.P < 1 || p.P > 255 || p.R*p.P > 255 || p.T < 0 || p.T > 255:
		return false
	case p.Mode == Classic:
		return p.T == 0
	case p.Mode == RW:
		return 1<<p.Cost/int64(p.P) > 3
	}
	return p.Mode == WORM
}

// Memory returns how many bytes Key needs.
func (p Params) Memory() int64 {
	blocks := int64(1)<<p.Cost + 2 // the table, and two to work on
	if p.Mode != RW {
		return blocks * 128 * int64(p.R)
	}
	return blocks*128*int64(p.R) + int64(p.P)*boxBytes
}

// Work returns how often Key mixes 128 bytes: each block of the table is R times as many, and the
// S-boxes of a lane are 96.
func (p Params) Work() int64 {
	n, lanes, r := int64(1)<<p.Cost, int64(p.P), int64(p.R)
	if p.Mode != RW {
		return lanes * (n + loops(p.Mode, n, p.T)) * r
	}
	work := (n+lanes*loops(RW, n/lanes, p.T))*r + lanes*boxBytes/128
	if first := p.first(); first.Cost > 0 {
		work += first.Work()
	}
	return work
}

// first returns the parameters of the prehash, which large RW hashes have so that a server may bear
// less than its clients; Cost 0: none.
func (p Params) first() Params {
	if chunk := 1 << p.Cost / int64(p.P); p.Mode != RW || chunk < 0x100 || chunk*int64(p.R) < 0x20000 {
		return Params{}
	}
	p.Cost -= 6
	p.T = 0
	return p
}

// Key returns the sum of password and salt, 32 bytes, or nil once yield, which is called each
// LookEvery blocks, is false. A nil yield is the turn's own. memory has Memory bytes of zeros from
// package erase, and is left as it was used. password is only read.
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
	if p.Mode == Classic {
		return p.key("", password, salt, words, yield)
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

// key is yescrypt_kdf_body but for its last step. label is the key under which the password is
// hashed before all; empty: it is not.
func (p Params) key(label string, password, salt []byte, memory []uint64, yield func() bool) []byte {
	if label != "" {
		password = mac.HMAC(sha256.New, []byte(label), password)
		defer erase.Wipe(password)
	}
	b := mac.PBKDF2(sha256.New, password, salt, 1, 128*p.R*p.P, yield)
	if b == nil {
		return nil
	}
	defer erase.Wipe(b)
	if label != "" {
		copy(password, b)
	}
	var t turn.Turn
	t.StartCalling(LookEvery, yield)
	s := newSmix(p, memory, &t)
	if !s.run(slices.Collect(slices.Chunk(b, 128*p.R)), password) {
		return nil
	}
	return mac.PBKDF2(sha256.New, password, b, 1, 32, yield)
}

// load sets x to the lane's bytes, in the order in which Salsa20's vector implementations keep
// them: word i of 16 is word 5·i mod 16 of the standard.
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
