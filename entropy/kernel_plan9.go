// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import (
	"crypto/subtle"
	"io"
	"os"
	"sync"

	"fount/internal/chacha"
	"fount/internal/erase"
)

func kernelName() string { return "ChaCha20 seeded once from /dev/random" }

// own is this process's generator. Plan 9's /dev/random gives about 18 bytes
// a second, so it is read once, as crypto/rand does.
var own struct {
	sync.Mutex
	seeded bool
	key    [32]byte
}

// kernel makes b under the present key and replaces the key first: block 0 of
// the keystream is the next key, blocks 1 and up are the output.
func kernel(b []byte) error {
	own.Lock()
	defer own.Unlock()
	if !own.seeded {
		if err := readSeed(own.key[:]); err != nil {
			return err
		}
		own.seeded = true
	}
	for len(b) > 0 {
		piece := b[:min(len(b), 64<<10)]
		var next [32]byte
		chacha.Keystream(next[:], &own.key, 0)
		chacha.Keystream(piece, &own.key, 1)
		own.key = next
		erase.Wipe(next[:])
		b = b[len(piece):]
	}
	return nil
}

// SeedFrom mixes 32 bytes of r into the process's generator, which then never opens
// /dev/random. A file server that is itself mounted there calls it, with the
// device's own file, before anybody can mount it. It exists on Plan 9 alone.
func SeedFrom(r io.Reader) error {
	var seed [32]byte
	defer erase.Wipe(seed[:])
	if _, err := io.ReadFull(r, seed[:]); err != nil {
		return err
	}
	own.Lock()
	defer own.Unlock()
	subtle.XORBytes(own.key[:], own.key[:], seed[:])
	own.seeded = true
	return nil
}

func readSeed(b []byte) error {
	f, err := os.Open("/dev/random")
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.ReadFull(f, b)
	return err
}
