// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test && fount_look

package shard

import (
	"bytes"
	"runtime"
	"testing"

	"fount/internal/seam"
)

// # Negative controls of the search (TestCloneSearch in the root)
//
// Each twin of read lacks one thing. The search must find that.

// byParts checks each part of a draw alone.
func byParts(own *State, b []byte) {
	for len(b) > 0 {
		gen := generation()
		n := own.take(b, gen)
		if n == 0 {
			n, gen = next(own, b)
		}
		if generation() != gen {
			again(b[:n])
			continue
		}
		b = b[n:]
	}
}

// withoutLastLook does not look again when all is there.
func withoutLastLook(own *State, b []byte) {
	gen := generation()
	for n := own.take(b, gen); n < len(b); {
		part, of := next(own, b[n:])
		if n > 0 && of != gen {
			n = again(b[:n+part])
			continue
		}
		n, gen = n+part, of
	}
}

// withoutFirstLook serves what is there, whatever it was keyed under.
func withoutFirstLook(own *State, b []byte) {
	n := own.take(b, own.epoch)
	gen := generation()
	if n < len(b) || generation() != gen {
		whole(own, b, n, gen)
	}
}

// withoutWiping makes the parts again that were to come, and keeps those that were there.
func withoutWiping(own *State, b []byte) {
	gen := generation()
	n := own.take(b, gen)
	for n < len(b) {
		part, of := next(own, b[n:])
		n, gen = n+part, of
	}
	for generation() != gen {
		_, gen = next(own, b[len(b)/2:])
	}
}

// shortWithoutLook serves what is there of a short b, as Read does, and looks at no generation.
func shortWithoutLook(own *State, b []byte) {
	if !holdsShort(own, b) {
		own.Read(b)
		return
	}
	claimShort[[16]byte](own, b)
}

// shortLookFirst looks before it serves, and not after.
func shortLookFirst(own *State, b []byte) {
	if own.epoch != generation() || !holdsShort(own, b) {
		own.Read(b)
		return
	}
	claimShort[[16]byte](own, b)
}

func TestCloneSearchControl(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	own := New()
	defer Free(own)
	for _, mode := range []struct {
		name string
		set  func()
		move func()
	}{
		{"word", func() { seam.SetWord(new(uint64)) }, func() { seam.Advance() }},
		{"window", func() { seam.SetOff(true) }, Reseed},
	} {
		mode.set()
		t.Cleanup(func() {
			seam.Forget()
			Reseed()
		})
		for name, twin := range map[string]struct {
			read   func(*State, []byte)
			broken bool
		}{
			"read":             {func(s *State, b []byte) { s.read(b) }, false},
			"Read":             {(*State).Read, false},
			"shortWithoutLook": {shortWithoutLook, true},
			"shortLookFirst":   {shortLookFirst, true},
			"byParts":          {byParts, true},
			"withoutLastLook":  {withoutLastLook, true},
			"withoutFirstLook": {withoutFirstLook, true},
			"withoutWiping":    {withoutWiping, true},
		} {
			found := ""
			for left := range 33 {
				for _, stale := range []bool{false, true} {
					r := Replay{Own: own, Memory: Memory{Left: left, Stale: stale}, Move: mode.move}
					r.Draw = func() []byte {
						b := make([]byte, 32)
						twin.read(own, b)
						return b
					}
					for look := 0; ; look++ {
						what, moved := r.Shared(look)
						if what != "" {
							found = what
						}
						if !moved {
							break
						}
					}
				}
			}
			if (found != "") != twin.broken {
				t.Errorf("mode %s, %s: the search found %q", mode.name, name, found)
			}
		}
	}
}

// In mode window each chunk has bytes of the kernel in its key: two clones have the rest in
// common, the time maybe too, and nothing moves.
func TestWindowChunksTakeFreshBytes(t *testing.T) {
	withoutWord(t)
	own := New()
	defer Free(own)
	kernelAlone = true
	defer func() { kernelAlone = false }()
	var reads [2][2 * chunk]byte
	for i := range reads {
		Memory{Left: Window, Due: true}.put(own)
		own.Read(reads[i][:])
	}
	for at := 0; at < len(reads[0]); at += chunk {
		if bytes.Equal(reads[0][at:][:chunk], reads[1][at:][:chunk]) {
			t.Errorf("the chunk at %d is the same in two clones", at)
		}
	}
}
