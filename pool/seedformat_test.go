// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package pool

import (
	"bytes"
	"crypto/sha512"
	"encoding/binary"
	"strings"
	"testing"
	"time"
)

func someSeed(nodes int) *seed {
	s := &seed{inode: 77, saved: time.Unix(1780000000, 0), entries: make([]byte, nodes*entrySize)}
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
		if err != nil || got.inode != s.inode || !got.saved.Equal(s.saved) || !bytes.Equal(got.entries, s.entries) {
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

func TestSeedFormatErrors(t *testing.T) {
	good := someSeed(2).encode()
	signed := func(nodes uint32) []byte { // a right sum does not make a number possible
		b := bytes.Clone(good[:len(good)-seedSum])
		binary.LittleEndian.PutUint32(b[len(seedMagic)+16:], nodes)
		sum := sha512.Sum512(b)
		return append(b, sum[:seedSum]...)
	}
	for want, b := range map[string][]byte{
		"it is no seed file":                         []byte("#!/bin/sh\n"),
		"it was cut off: 20 bytes":                   good[:20],
		"it was cut off or appended to: 192 bytes":   good[:192],
		"it was cut off or appended to: 194 bytes":   append(bytes.Clone(good), 0),
		"it says 0 nodes":                            signed(0),
		"it says 4294967295 nodes":                   signed(1<<32 - 1),
		"its sum is wrong":                           append(bytes.Clone(good[:len(good)-1]), good[len(good)-1]^1),
		"193 bytes, and one of 1 nodes has 129":      signed(1),
		"it does not begin with \"fount seed 1\\n\"": nil,
	} {
		if _, err := parseSeed(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", b, err, want)
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
