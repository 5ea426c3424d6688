// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package devrandom is a generator of this process's own that reads /dev/random once. Package entropy uses it
// on Plan 9, whose /dev/random gives about 18 bytes a second; crypto/rand does the same there.
package devrandom

import (
	"crypto/subtle"
	"io"
	"os"
	"sync"

	"fount/internal/chacha"
	"fount/internal/erase"
)

// generator is a key, which each Read replaces.
type generator struct {
	mu     sync.Mutex
	seeded bool
	key    [32]byte
	device string
}

var own = generator{device: "/dev/random"}

// Read fills b. The first call reads 32 bytes of /dev/random unless Seed was called, and waits for them. It
// may be called from any goroutine.
func Read(b []byte) error { return own.read(b) }

// Seed mixes 32 bytes of r into the generator, which then never opens /dev/random. A file server that is
// itself mounted there calls it with the device's own file, before anyone can mount it.
func Seed(r io.Reader) error { return own.seed(r) }

// read makes b under the present key and replaces the key first: block 0 of
// the keystream is the next key, blocks 1 and up are the output.
func (g *generator) read(b []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.seeded {
		if err := readSeed(g.device, g.key[:]); err != nil {
			return err
		}
		g.seeded = true
	}
	for len(b) > 0 {
		piece := b[:min(len(b), 64<<10)]
		var next [32]byte
		chacha.Keystream(next[:], &g.key, 0)
		chacha.Keystream(piece, &g.key, 1)
		g.key = next
		erase.Wipe(next[:])
		b = b[len(piece):]
	}
	return nil
}

func (g *generator) seed(r io.Reader) error {
	var seed [32]byte
	defer erase.Wipe(seed[:])
	if _, err := io.ReadFull(r, seed[:]); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	subtle.XORBytes(g.key[:], g.key[:], seed[:])
	g.seeded = true
	return nil
}

func readSeed(device string, b []byte) error {
	f, err := os.Open(device)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.ReadFull(f, b)
	return err
}
