// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package main

// fount's streams: of one state, and of several whose bytes take turns.

import (
	"runtime"

	"fount"
)

const (
	shards = 4  // states that take turns
	turn   = 16 // bytes at a time: a nonce
)

func states() []stream {
	return []stream{
		{"single", "one P, 16 bytes at a time", onOneP(nonces)},
		{"sizes", "one P, 1, 2, 3, ... 2048 bytes at a time", onOneP(sizes())},
		{"procs", "four goroutines on four Ps, 16 bytes of each in turn", procs},
	}
}

// onOneP draws all from one state.
func onOneP(next fill) func(uint64, *evidence) (fill, error) {
	return func(uint64, *evidence) (fill, error) {
		runtime.GOMAXPROCS(1)
		settle()
		return next, nil
	}
}

// nonces is 16 bytes at a time. Every b is a multiple of that.
func nonces(b []byte) {
	for ; len(b) > 0; b = b[turn:] {
		nonce := fount.Nonce()
		copy(b, nonce[:])
	}
}

// sizes ends reads at every place of a buffer, and has some that go past it.
func sizes() fill {
	size := 0
	return func(b []byte) {
		for len(b) > 0 {
			size = size%2048 + 1
			n, _ := fount.Read(b[:min(size, len(b))])
			b = b[n:]
		}
	}
}

// takeTurns makes one stream of several.
func takeTurns(each []fill) fill {
	return func(b []byte) {
		for i := 0; len(b) > 0; i++ {
			each[i%len(each)](b[:turn])
			b = b[turn:]
		}
	}
}

// procs draws by the package's functions, on as many Ps as there are goroutines. All draw at once, until
// each P has a state; from then on a goroutine draws on whichever P it runs.
func procs(_ uint64, e *evidence) (fill, error) {
	runtime.GOMAXPROCS(shards)
	settle() // else a state that is made meanwhile takes its keys from the kernel alone, and from no node
	var each []fill
	for range shards {
		ahead := make(chan []byte, 4)
		go func() {
			for fount.Status().Shards < shards {
				fount.Nonce()
			}
			for {
				b := make([]byte, bufferSize)
				for i := 0; i < len(b); i += turn {
					nonce := fount.Nonce()
					copy(b[i:], nonce[:])
				}
				ahead <- b
			}
		}()
		var rest []byte
		each = append(each, func(b []byte) {
			if len(rest) == 0 {
				rest = <-ahead
			}
			rest = rest[copy(b, rest):]
		})
	}
	return takeTurns(each), nil
}
