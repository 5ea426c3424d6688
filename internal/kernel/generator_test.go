// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package kernel

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/chacha20"
)

// keystream is ChaCha20's from a block on, by another implementation.
func keystream(t *testing.T, key []byte, block uint32, n int) []byte {
	t.Helper()
	c, err := chacha20.NewUnauthenticatedCipher(key, make([]byte, chacha20.NonceSize))
	if err != nil {
		t.Fatal(err)
	}
	c.SetCounter(block)
	b := make([]byte, n)
	c.XORKeyStream(b, b)
	return b
}

// The device is read once, each read replaces the key first, and the output is the rest of the
// keystream.
func TestGeneratorRead(t *testing.T) {
	device := filepath.Join(t.TempDir(), "random")
	key := bytes.Repeat([]byte{7}, 32)
	if err := os.WriteFile(device, append(key, "more"...), 0o600); err != nil {
		t.Fatal(err)
	}
	g := generator{device: device}
	for _, n := range []int{1, 32, 64<<10 + 5} {
		b := make([]byte, n)
		if err := g.read(b); err != nil {
			t.Fatal(err)
		}
		os.Remove(device) // the first read has it
		for len(b) > 0 {
			piece := b[:min(len(b), 64<<10)]
			if !bytes.Equal(piece, keystream(t, key, 1, len(piece))) {
				t.Fatalf("of %d bytes, those before the last %d are not the keystream's", n, len(b)-len(piece))
			}
			key = keystream(t, key, 0, 32)
			b = b[len(piece):]
		}
		if !bytes.Equal(g.key[:], key) {
			t.Fatalf("after %d bytes the key is not the next", n)
		}
	}
}

// A generator that was seeded opens no device, and mixes: what it had stays in the key.
func TestGeneratorSeed(t *testing.T) {
	g := generator{device: filepath.Join(t.TempDir(), "gone")}
	if err := g.read(make([]byte, 1)); err == nil {
		t.Fatal("control: bytes without a seed")
	}
	if err := g.seed(strings.NewReader("short")); err == nil || g.seeded {
		t.Fatal("seeded with 5 bytes")
	}
	for i := range 2 {
		want := g.key
		want[0] ^= byte(i + 1)
		if err := g.seed(bytes.NewReader(append([]byte{byte(i + 1)}, make([]byte, 31)...))); err != nil || g.key != want {
			t.Fatalf("key %x, want %x; %v", g.key, want, err)
		}
	}
	if err := g.read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
}
