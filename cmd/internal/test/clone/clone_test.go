// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package clone tests with real clones of a virtual machine that no value is handed out twice. It
// is not a library: it holds tests only.
//
// A Debian kernel boots in QEMU with a guest that draws from package fount and others all the time.
// The machine is saved while it draws, and resumed twice or more. Everything that lay ready in
// memory lies ready in all clones, so their draws are compared.
//
//	clone_test.go     what two clones may have in common
//	compare_test.go   their draws, stream by stream
//	straddle_test.go  draws that straddle refills, window by window
//	qemu_test.go      the machine: start, snapshot, resume
//
// It needs QEMU, apt with Debian bookworm's package lists, and the network once:
//
//	FOUNT_LONG=1 go test -count=1 -v ./cmd/internal/test/clone
package clone

import (
	"encoding/json"
	"testing"

	"fount"
	"fount/cmd/internal/test/internal/machine"
	"fount/cmd/internal/test/internal/wire"
)

const (
	wanted = 10000                     // draws of both clones after the word has moved
	more   = wanted/wire.Workers + 500 // rounds of each worker for that

	// A kernel that is 10 s old reseeds by itself every 5 s, which moves the word. A clone whose
	// word must stand still makes few draws, and is resumed again if it has moved.
	few   = 500
	tries = 3
)

const verified = "kernel generation, verified"

// mode returns what the guest's fount.Status said.
func mode(t *testing.T, status []byte) (r fount.StatusReport) {
	if err := json.Unmarshal(status, &r); err != nil {
		t.Fatalf("the guest's status: %v", err)
	}
	return r
}

// On a kernel whose generation fount finds, two clones draw nothing in common after it has moved.
// Two more clones of the snapshot keep the original's identity: the control, in which nothing moves
// and what lay ready repeats.
func TestKernelGeneration(t *testing.T) {
	machine.Need(t)
	s := takeSnapshot(t, machine.Linux612, original)
	if got := mode(t, s.Status).Mode; got != verified || !s.Held {
		t.Errorf("mode is %q and held %v, want %q", got, s.Held, verified)
	}

	t.Run("own identities", func(t *testing.T) {
		clones := [2]*twin{s.resume(t, own, true, more), s.resume(t, own, true, more)}
		pairs := s.compare(t, clones)
		logPairs(t, pairs)
		for i, c := range clones {
			if c.Word <= s.word() || !c.noticed {
				t.Errorf("clone %d: the word went from %d to %d, the kernel noticed: %v", i, s.word(), c.Word, c.noticed)
			}
			if got := mode(t, c.Status).Mode; got != verified {
				t.Errorf("clone %d: mode is %q, want %q", i, got, verified)
			}
		}
		for _, p := range pairs {
			for i, drawn := range p.drawn {
				if drawn[newWord] < wanted {
					t.Errorf("%s: clone %d made %d draws with the new word, want %d", p.name, i, drawn[newWord], wanted)
				}
			}
		}
		if p := pairs[wire.Fount]; p.repeats[newWord] > 0 {
			t.Errorf("%s: %d draws with the new word are in both clones", p.name, p.repeats[newWord])
		}
		seededRepeats(t, pairs, wanted)
	})

	t.Run("identity of the original", func(t *testing.T) {
		var clones [2]*twin
		for try := range 2 * tries {
			i := try % 2
			if clones[i] == nil || clones[i].Word != s.word() && !clones[i].noticed {
				clones[i] = s.resume(t, original, false, few)
			}
		}
		pairs := s.compare(t, clones)
		logPairs(t, pairs)
		for i, c := range clones {
			if c.Word != s.word() || c.noticed {
				t.Errorf("clone %d: the word went from %d to %d, the kernel noticed: %v; want neither", i, s.word(), c.Word, c.noticed)
			}
		}
		if n := pairs[wire.Fount].repeated(); n < 100 {
			t.Errorf("%d draws of fount are in both clones, want at least 100", n)
		}
		seededRepeats(t, pairs, few)
	})
}

// seededRepeats is the control of the comparison: a generator that was seeded before the snapshot
// repeats everything.
func seededRepeats(t *testing.T, pairs []*pair, want int) {
	if p := pairs[wire.Naive]; p.repeated() < want {
		t.Errorf("%s: %d draws are in both clones, want at least %d", p.name, p.repeated(), want)
	}
}

// On a kernel that has the generation, but no device that tells it of clones, the mode is window
// and what two clones share is bounded.
func TestNoDevice(t *testing.T) {
	machine.Need(t)
	s := takeSnapshot(t, machine.Linux612, noDevice)
	r := mode(t, s.Status)
	if r.Mode != "window" || s.Held {
		t.Errorf("mode is %q and held %v, want \"window\"", r.Mode, s.Held)
	}
	clones := [2]*twin{s.resume(t, noDevice, false, more), s.resume(t, noDevice, false, more)}
	pairs := s.compare(t, clones)
	logPairs(t, pairs)
	for i, c := range clones {
		if c.noticed {
			t.Errorf("clone %d: the kernel noticed", i)
		}
	}
	bounded(t, pairs, wire.Workers*(r.WindowBytes/16))
	seededRepeats(t, pairs, 100)
}

// bounded is what mode window promises: of Nonces no more repeat than allowed.
func bounded(t *testing.T, pairs []*pair, allowed int) {
	t.Helper()
	p := pairs[wire.Fount]
	if n := p.repeated() - p.repeats[underWay]; n > allowed {
		t.Errorf("%s: %d draws are in both clones, want at most %d", p.name, n, allowed)
	}
}

// On a kernel without a generation that a process can see, two clones share at most what one buffer
// holds, for each P.
func TestWindow(t *testing.T) {
	machine.Need(t)
	s := takeSnapshot(t, machine.Linux61, original)
	r := mode(t, s.Status)
	if r.Mode != "window" || r.WindowBytes > 256 || s.Held {
		t.Errorf("mode is %q with %d bytes and held %v, want \"window\" with at most 256", r.Mode, r.WindowBytes, s.Held)
	}
	clones := [2]*twin{s.resume(t, own, false, more), s.resume(t, own, false, more)}
	pairs := s.compare(t, clones)
	logPairs(t, pairs)
	for i, c := range clones {
		if !c.noticed {
			t.Errorf("clone %d: the kernel did not notice", i)
		}
	}
	bound := r.WindowBytes / 16
	allowed := wire.Workers * bound
	if n := pairs[wire.CryptoRand].repeats[oldWord]; n > 0 {
		// The kernel itself repeated, until it had handled the device's interrupt. What was
		// refilled until then repeats too.
		allowed += n + wire.Workers*bound
	}
	bounded(t, pairs, allowed)
	seededRepeats(t, pairs, wanted)
}
