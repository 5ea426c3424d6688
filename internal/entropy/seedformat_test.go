// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package entropy

import (
	"bytes"
	"crypto/sha512"
	"encoding/binary"
	"testing"
	"time"
)

func someSeed(nodes int) *contents {
	s := &contents{saved: time.Unix(1780000000, 0), entries: make([]byte, nodes*entrySize)}
	for i := range s.entries {
		s.entries[i] = byte(i * 7)
	}
	return s
}

func TestSeedFormat(t *testing.T) {
	for _, nodes := range []int{1, 4, maxEntries} {
		s := someSeed(nodes)
		b := s.encode()
		got, err := parseSeed(b)
		if err != nil || !got.saved.Equal(s.saved) || !bytes.Equal(got.entries, s.entries) {
			t.Errorf("%d nodes: %+v, %v", nodes, got, err)
		}
		for n := range len(b) {
			if nodes > 4 && n > 60 && n < len(b)-60 {
				continue
			}
			if _, err := parseSeed(b[:n]); err == nil {
				t.Fatalf("%d nodes: the first %d of %d bytes are accepted", nodes, n, len(b))
			}
			b[n] ^= 0x10
			if _, err := parseSeed(b); err == nil {
				t.Fatalf("%d nodes: a flipped bit in byte %d is accepted", nodes, n)
			}
			b[n] ^= 0x10
		}
		if _, err := parseSeed(append(b, 0)); err == nil {
			t.Errorf("%d nodes: a byte more is accepted", nodes)
		}
	}
}

// A right sum does not make a number possible.
func TestSeedFormatNodes(t *testing.T) {
	good := someSeed(2).encode()
	for _, nodes := range []uint32{0, 1, maxEntries + 1, 1<<32 - 1} {
		b := bytes.Clone(good[:len(good)-seedSum])
		binary.LittleEndian.PutUint32(b[len(seedMagic)+8:], nodes)
		sum := sha512.Sum512(b)
		if _, err := parseSeed(append(b, sum[:seedSum]...)); err == nil {
			t.Errorf("a file of 2 nodes that says %d is accepted", nodes)
		}
	}
}

// What is accepted is what would be written.
func FuzzParseSeed(f *testing.F) {
	f.Add(someSeed(1).encode())
	f.Add(someSeed(3).encode())
	f.Add(someSeed(1).encode()[:50])
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := parseSeed(b); err == nil && !bytes.Equal(s.encode(), b) {
			t.Errorf("%x is accepted and would be written as %x", b, s.encode())
		}
		// With a right sum most of the checks are behind it.
		if len(b) > seedHead {
			sum := sha512.Sum512(b)
			b = append(bytes.Clone(b), sum[:seedSum]...)
			if s, err := parseSeed(b); err == nil && !bytes.Equal(s.encode(), b) {
				t.Errorf("%x is accepted and would be written as %x", b, s.encode())
			}
		}
	})
}
