// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"encoding/binary"
	"testing"
	"unsafe"
)

// secrets collects every 8-byte window of what must not be in memory.
type secrets map[uint64]string

func (m secrets) add(what string, b []byte) {
	for i := range len(b) - 7 {
		m[binary.LittleEndian.Uint64(b[i:])] = what
	}
}

// find looks for them at every byte offset of every state's memory, used or
// free, and returns what it found. A false find has odds of about 2^-34.
func (m secrets) find() (found []string) {
	slots.Lock()
	defer slots.Unlock()
	for _, chunk := range slots.chunks {
		mem := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(chunk))), len(chunk)*stateSize)
		for i := range len(mem) - 7 {
			if what, ok := m[binary.LittleEndian.Uint64(mem[i:])]; ok {
				found = append(found, what)
			}
		}
	}
	return found
}

func TestServedBytesAndOldKeysAreGone(t *testing.T) {
	s := onOneP(t)
	m := secrets{}
	var b12 [12]byte
	var b16 [16]byte
	var b24 [24]byte
	var b32 [32]byte
	b := make([]byte, 100)
	large := make([]byte, 3000)
	var u8 [8]byte

	for range 50 {
		key := [keySize]byte(s.block[:])
		m.add("an old key", key[:])
		s.expire() // the next draw replaces this key

		Read16(&b16)
		Read12(&b12)
		Read24(&b24)
		Read32(&b32)
		Read(b)
		Read(large)
		binary.LittleEndian.PutUint64(u8[:], Uint64())

		m.add("served by Read16", b16[:])
		m.add("served by Read12", b12[:])
		m.add("served by Read24", b24[:])
		m.add("served by Read32", b32[:])
		m.add("served by Read", b)
		m.add("served by a bulk read", large)
		m.add("served by Uint64", u8[:])
	}

	delete(m, 0) // an unseeded state's key

	if found := m.find(); len(found) > 0 {
		t.Errorf("states still hold %q", found)
	}

	// Negative control: the search finds what is there.
	s.expire()
	Uint64() // leaves much to serve
	m.add("the present key", s.block[:keySize])
	m.add("not served yet", s.block[keySize:][:s.left])

	kinds := map[string]bool{}
	for _, what := range m.find() {
		kinds[what] = true
	}
	if len(kinds) != 2 {
		t.Errorf("control: the search found %v, want the present key and what is not served yet", kinds)
	}
}
