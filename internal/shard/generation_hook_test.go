// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_hook

package shard

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"testing"
)

// drawsOf are all draws that copy, of this P's state (s is nil) or of s.
var drawsOf = map[string]func(s *State) []byte{
	"Read12": func(s *State) []byte {
		var b [12]byte
		s.drawsOr(func() { Read12(&b) }, func() { s.Read12(&b) })
		return b[:]
	},
	"Read16": func(s *State) []byte {
		var b [16]byte
		s.drawsOr(func() { Read16(&b) }, func() { s.Read16(&b) })
		return b[:]
	},
	"Read20": func(s *State) []byte {
		var b [20]byte
		s.drawsOr(func() { Read20(&b) }, func() { s.Read20(&b) })
		return b[:]
	},
	"Read24": func(s *State) []byte {
		var b [24]byte
		s.drawsOr(func() { Read24(&b) }, func() { s.Read24(&b) })
		return b[:]
	},
	"Read32": func(s *State) []byte {
		var b [32]byte
		s.drawsOr(func() { Read32(&b) }, func() { s.Read32(&b) })
		return b[:]
	},
	"Uint64": func(s *State) []byte {
		var v uint64
		s.drawsOr(func() { v = Uint64() }, func() { v = s.Uint64() })
		return binary.NativeEndian.AppendUint64(nil, v)
	},
	"Uint32": func(s *State) []byte {
		var v uint32
		s.drawsOr(func() { v = Uint32() }, func() { v = s.Uint32() })
		return binary.NativeEndian.AppendUint32(nil, v)
	},
	"Read": func(s *State) []byte {
		b := make([]byte, 100)
		s.drawsOr(func() { Read(b) }, func() { s.Read(b) })
		return b
	},
}

func (s *State) drawsOr(function, method func()) {
	if s == nil {
		function()
	} else {
		method()
	}
}

// A draw looks at the generation before it copies and after it: whichever of the
// two sees it move, none of the buffer is served.
func TestEachCheckOfADraw(t *testing.T) {
	defer func() { onGeneration = nil }()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	own := New()
	defer Free(own)
	for name, draw := range drawsOf {
		for _, s := range []*State{nil, own} {
			for moved := range 3 { // the look that first sees it moved; 2: the control, none
				onGeneration = nil
				size := len(draw(s))
				at := s
				if at == nil {
					at = perPState(t)
				}
				if at.left < uint64(size) {
					draw(s)
				}
				buffered := bytes.Clone(at.block[keySize:][:at.left])
				next := buffered[len(buffered)-size:]
				looks := 0
				onGeneration = func() {
					if looks == moved && moved < 2 {
						epoch.Add(epochStep) // Reseed
					}
					looks++
				}
				got := draw(s)
				onGeneration = nil
				if served := bytes.Equal(got, next); served != (moved == 2) {
					t.Errorf("%s, owned %v, moved before look %d: the buffer was served: %v", name, s != nil, moved+1, served)
				}
				if bytes.Equal(got, make([]byte, size)) {
					t.Errorf("%s, owned %v, moved before look %d: drew zeros", name, s != nil, moved+1)
				}
			}
		}
	}
}

// perPState returns the state of the only P.
func perPState(t *testing.T) *State {
	s, tok := acquire()
	release(tok)
	if s == nil {
		t.Skipf("with %s no state is the P's own", PerP)
	}
	return s
}
