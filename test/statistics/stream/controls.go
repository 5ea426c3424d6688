// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package main

// The controls: streams with a fault that is known, and one that has none and is no secret. Each is the
// same in every run. A fault is worked into the output of math/rand/v2's ChaCha8 under a fixed seed, in
// which nothing else is wrong.

import (
	"encoding/binary"
	"math/rand/v2"

	"fount/internal/chacha"
)

// buffered is how many bytes a state of fount serves of one refill.
const buffered = 992

func controls() []stream {
	return []stream{
		{"repeat16", "control: four shards in turn, the fourth is the first, 16 bytes behind", repeating(turn)},
		{"repeat992", "control: the same, 992 bytes behind", repeating(buffered)},
		{"replay", "control: 992 bytes come once again, 1 MiB later", control(replay)},
		{"zeroed", "control: the last byte of each 992 is zero", control(zeroed)},
		{"biased", "control: a bit is 1 with probability 1/2 + 1/1024", control(biased)},
		{"chacha20", "control: ChaCha20 whose key is 0", control(knownKey)},
	}
}

func control(open func(attempt uint64) fill) func(uint64, *evidence) (fill, error) {
	return func(attempt uint64, _ *evidence) (fill, error) { return open(attempt), nil }
}

// plain is ChaCha8 under a seed for each shard of each attempt.
func plain(attempt, shard uint64) fill {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], attempt)
	binary.LittleEndian.PutUint64(seed[8:], shard)
	src := rand.NewChaCha8(seed)
	return func(b []byte) { src.Read(b) }
}

func repeating(behind int) func(uint64, *evidence) (fill, error) {
	return control(func(attempt uint64) fill {
		var each []fill
		for i := range uint64(shards - 1) {
			each = append(each, plain(attempt, i))
		}
		own, first, served := plain(attempt, shards-1), plain(attempt, 0), 0
		return takeTurns(append(each, func(b []byte) {
			if served < behind {
				own(b)
			} else {
				first(b)
			}
			served += len(b)
		}))
	})
}

func replay(attempt uint64) fill {
	const later = 1 << 20
	good, first, served := plain(attempt, 0), make([]byte, buffered), 0
	return func(b []byte) {
		good(b)
		if served == 0 {
			copy(first, b)
		}
		if served <= later && later < served+len(b) {
			copy(b[later-served:], first)
		}
		served += len(b)
	}
}

func zeroed(attempt uint64) fill {
	good, left := plain(attempt, 0), buffered
	return func(b []byte) {
		good(b)
		for ; left <= len(b); left += buffered {
			b[left-1] = 0
		}
		left -= len(b)
	}
}

func biased(attempt uint64) fill {
	good := plain(attempt, 0)
	return func(b []byte) {
		var r [10 * 8]byte
		for ; len(b) > 0; b = b[8:] {
			good(r[:])
			ones := ^uint64(0) // with probability 2^-9
			for i := 8; i < len(r); i += 8 {
				ones &= binary.LittleEndian.Uint64(r[i:])
			}
			binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(r[:])|ones)
		}
	}
}

// knownKey is the keystream that fount's states make, under the key 0, and then 1, 2 and so on of the
// attempt, each for as many bytes as the block counter allows.
func knownKey(attempt uint64) fill {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[8:], attempt)
	counter := uint32(0)
	return func(b []byte) {
		chacha.Keystream(b, &key, counter)
		counter += uint32(len(b) / 64)
		if counter == 0 {
			binary.LittleEndian.PutUint64(key[:], binary.LittleEndian.Uint64(key[:])+1)
		}
	}
}
