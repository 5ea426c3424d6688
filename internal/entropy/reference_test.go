// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

// The construction once more, from its description, with plain slices and other
// packages, and values of it that must not change.

import (
	"bytes"
	"crypto/sha512"
	"encoding/binary"
	"testing"

	"golang.org/x/crypto/chacha20"
)

func hash(parts ...[]byte) []byte {
	h := sha512.Sum512(bytes.Join(parts, nil))
	return h[:]
}

func word32(i int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(i)) }
func word64(i int) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(i)) }

// refMix returns the input pool's state after an input.
func refMix(state []byte, name string, b []byte) []byte {
	digest := hash(word32(0), make([]byte, 64), word64(len(name)), word64(len(b)))
	for _, part := range [][]byte{[]byte(name), b} {
		for ; len(part) > 0; part = part[min(128, len(part)):] {
			digest = hash(word32(0), digest, part[:min(128, len(part))])
		}
	}
	return hash(word32(1), state, digest, []byte("fount add"))
}

func TestInputIsItsReference(t *testing.T) {
	random := dice()
	var p input
	state := make([]byte, 64)
	for range 200 {
		b := make([]byte, random.IntN(400))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		name := "source"[:random.IntN(7)]
		p.mix(name, b)
		if state = refMix(state, name, b); !bytes.Equal(p.state[:], state) {
			t.Fatalf("after %d bytes of %q the state is not the reference's", len(b), name)
		}
		var out, fresh [keySize]byte
		fresh[0] = byte(random.Uint32())
		p.extract(&out, &fresh)
		wantOut := hash(word32(2), state, fresh[:], []byte("fount input"))[:32]
		state = hash(word32(1), state, fresh[:], []byte("fount input"))
		if !bytes.Equal(p.state[:], state) || !bytes.Equal(out[:], wantOut) {
			t.Fatal("an extraction is not the reference's")
		}
	}
}

func TestNodeIsItsReference(t *testing.T) {
	var n node
	key := make([]byte, 32)
	for i := range 100 {
		secret := [keySize]byte{31: byte(i)}
		n.absorb(i, &secret)
		key = hash(word32(1), key, secret[:], []byte("fount node"), word32(i))[:32]
		c, err := chacha20.NewUnauthenticatedCipher(key, make([]byte, 12))
		if err != nil {
			t.Fatal(err)
		}
		block := make([]byte, 64)
		c.XORKeyStream(block, block)
		key = block[:32]
		var out [keySize]byte
		n.draw(&out)
		if !bytes.Equal(n.key[:], key) || !bytes.Equal(out[:], block[32:]) {
			t.Fatalf("after %d the key or the output is not the reference's", i)
		}
	}
}

// An entry of a seed file hashes the kernel's bytes, the node's, the old contents and its index.
func TestEntryIsItsReference(t *testing.T) {
	var secret [2 * keySize]byte
	var before [hashSize]byte
	secret[0], secret[keySize], before[0] = 1, 2, 3
	for k := range 3 {
		got := make([]byte, entrySize)
		deriveEntry(got, k, &secret, &before)
		want := hash(word32(1), secret[:], before[:], []byte("fount seed"), word32(k))
		if !bytes.Equal(got, want) {
			t.Errorf("node %d: %x, want %x", k, got, want)
		}
	}
}

// Nothing of what passes through is left in the memory that is used for it.
func TestWorkIsWiped(t *testing.T) {
	p := somePools(2)
	for i := range 5 {
		p.input.mix("test", bytes.Repeat([]byte{7}, 100*i))
		var out [keySize]byte
		p.mix(&out, uint64(i))
	}
	if p.input.digest != (digest{}) || p.input.work != [256]byte{} || p.nodes[0].work != [128]byte{} || p.nodes[1].work != [128]byte{} {
		t.Error("there is something left")
	}
}
