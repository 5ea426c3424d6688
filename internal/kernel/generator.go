// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import (
	"crypto/subtle"
	"io"
	"os"
	"sync"

	"fount/internal/chacha"
	"fount/internal/erase"
)

// A generator stands for the kernel's generator on Plan 9, as one in crypto/rand does. Its key is
// seeded once with 32 bytes of a device that gives 18 bytes a second. On other systems only tests
// use it.
type generator struct {
	mu     sync.Mutex
	seeded bool
	key    [32]byte
	device string
}

// read fills b with keystream under the present key. Block 0 of the keystream is the next key, the
// others are the output. The first call reads the device unless seed was called.
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

// seed mixes 32 bytes of r into the key.
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
