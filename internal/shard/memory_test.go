// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package shard

import (
	"bytes"
	"encoding/binary"
	"runtime"
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

func skipUnderRace(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool drop a quarter of its tokens: too many states to search; run without it")
	}
}

func TestServedBytesAndOldKeysAreGone(t *testing.T) {
	skipUnderRace(t)
	m := secrets{}
	own := New()
	defer Free(own)

	// Draws of all kinds, from this P's state and from an owned one.
	draw := func(s *State) {
		var b12 [12]byte
		var b16 [16]byte
		var b24 [24]byte
		var b32 [32]byte
		b := make([]byte, 100)
		large := make([]byte, 3000)
		var u8 [8]byte
		for range 50 {
			if s == nil {
				Read12(&b12)
				Read16(&b16)
				Read24(&b24)
				Read32(&b32)
				Read(b)
				Read(large)
				binary.LittleEndian.PutUint64(u8[:], Uint64())
			} else {
				key := [keySize]byte(s.block[:])
				s.Expire() // the next draw replaces this key
				s.Read16(&b16)
				m.add("an old key", key[:])
				s.Read12(&b12)
				s.Read24(&b24)
				s.Read32(&b32)
				s.Read(b)
				s.Read(large)
				binary.LittleEndian.PutUint64(u8[:], s.Uint64())
			}
			m.add("served by Read12", b12[:])
			m.add("served by Read16", b16[:])
			m.add("served by Read24", b24[:])
			m.add("served by Read32", b32[:])
			m.add("served by Read", b)
			m.add("served by a bulk read", large)
			m.add("served by Uint64", u8[:])
		}
	}
	draw(nil)
	draw(own)
	delete(m, 0) // an unseeded state's key
	if found := m.find(); len(found) > 0 {
		t.Errorf("states still hold %q", found)
	}

	// Negative control: the search finds what is there.
	own.Expire()
	own.Uint64() // leaves much to serve
	m.add("the present key", own.block[:keySize])
	m.add("not served yet", own.block[keySize:][:own.left])
	kinds := map[string]bool{}
	for _, what := range m.find() {
		kinds[what] = true
	}
	if len(kinds) != 2 {
		t.Errorf("control: the search found %v, want the present key and what is not served yet", kinds)
	}
}

// Behind what is left to serve a buffer is all zeros, after draws of every kind. So few
// bytes as an integer's are not found by the search for 8 of them.
func TestServedBytesAreZero(t *testing.T) {
	skipUnderRace(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	own := New()
	defer Free(own)
	ofP := func() *State {
		s, tok := acquire()
		release(tok)
		return s
	}
	for name, d := range map[string]struct {
		draw  func()
		state func() *State
	}{
		"Uint64n":        {func() { Uint64n(7919) }, ofP},
		"Uint64n, large": {func() { Uint64n(1 << 40) }, ofP},
		"Uint32":         {func() { Uint32() }, ofP},
		"Uint64":         {func() { Uint64() }, ofP},
		"Read12":         {func() { Read12(new([12]byte)) }, ofP},
		"Read":           {func() { Read(make([]byte, 3)) }, ofP},

		"own Uint64n":        {func() { own.Uint64n(7919) }, func() *State { return own }},
		"own Uint64n, large": {func() { own.Uint64n(1 << 40) }, func() *State { return own }},
		"own Uint32":         {func() { own.Uint32() }, func() *State { return own }},
		"own Uint64":         {func() { own.Uint64() }, func() *State { return own }},
		"own Read12":         {func() { own.Read12(new([12]byte)) }, func() *State { return own }},
		"own Read":           {func() { own.Read(make([]byte, 3)) }, func() *State { return own }},
	} {
		for range 100 {
			d.draw()
			s := d.state()
			if served := s.block[keySize+s.left:]; len(bytes.Trim(served, "\x00")) != 0 {
				t.Fatalf("%s: served bytes are still in the buffer: %x", name, served)
			}
		}
	}
}

// A state that is given back holds nothing.
func TestFreeWipes(t *testing.T) {
	skipUnderRace(t)
	s := New()
	s.Uint64()
	m := secrets{}
	m.add("key", s.block[:keySize])
	m.add("buffer", s.block[keySize:][:s.left])
	if len(m.find()) == 0 {
		t.Fatal("control: the search does not find a live state's key")
	}
	Free(s)
	if found := m.find(); len(found) > 0 {
		t.Errorf("a freed state still holds its %q", found)
	}
}
