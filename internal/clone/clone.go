// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package clone detects that this virtual machine was cloned or restored, by a counter, the word,
// that is greater afterwards than before. It is not a source of randomness: all clones of a snapshot
// see the same new value, so it only says that something happened, and must never be mixed into
// anything.
//
// # Contract
//
// If [Held] is true, [Load] returns a greater value after a clone than any that it returned before.
// If Held is false, this process can't see clones, and the caller must assume that one happens
// between any two of its instructions. Load may then change too, but need not.
//
// A caller that keeps secret state remembers Load's value with the state, compares it before and
// after each use of the state, and throws the result away if it differs. When it makes new state,
// it calls Load before Held, so that the state is stale from the beginning if the word is dropped
// in between.
//
// The caller runs [Check] whenever it draws fresh bytes from the kernel. The first Check begins the
// search for the word, and later ones verify it. A Check that lacks descriptors or memory says so
// in [Status], and a later one continues, after 100 ms at the earliest.
//
// # The ladder
//
// The word is the first of these that works. [Status] names it, and says why the ones above it do
// not work:
//
//   - "vmclock": /dev/vmclock0 (Linux 7.0), vm_generation_counter, or disruption_marker where the
//     hypervisor has no such counter. It changes before the clone's first instruction, but also
//     before the kernel has reseeded: see [Settling].
//   - "kernel generation, verified": the generation of the kernel's own generator, from Linux 6.11
//     on amd64 (6.12 on arm64), in the process's [vvar] pages. Its place is not part of the ABI: it
//     is compared with what the vDSO stores when found and at each Check, and dropped for good if
//     they differ. It is held only where the kernel has a device that reports clones, shown in /sys
//     under the driver vmgenid.
//   - "window": no word is held. Load is still the kernel's generation where that was found, which
//     changes when the kernel reseeds, once in 60 s; otherwise it stays.
//
// A machine without a hypervisor has no mode of its own: a hypervisor may hide all its signs, and a
// hibernated machine whose disk was copied is a clone too.
//
// # What it can't see
//
// It can't see a clone taken between the caller's last look and its use of the result, a process
// that is checkpointed and restored (CRIU, gVisor), or a fork, which copies the process and not the
// machine.
//
// # Concurrency
//
// Every function may be called from any goroutine.
package clone

import (
	"slices"
	"sync/atomic"
)

// The modes of a [Report].
const (
	modeVMClock = "vmclock"
	modeKernel  = "kernel generation, verified"
	modeWindow  = "window"
)

// Modes returns the modes, the best first.
func Modes() []string { return []string{modeVMClock, modeKernel, modeWindow} }

// Load returns the word. Its values only grow and have no other meaning. It is
// inlined into two loads: of a pointer and of the word.
func Load() uint64 { return atomic.LoadUint64(word.Load()) }

// Held reports whether Load's word moves when the machine is cloned. If it is false, the caller
// must assume the worst. It is one load.
func Held() bool { return held.Load() }

// A Report says which word is in force in this process, and why.
type Report struct {
	Mode    string    // "vmclock", "kernel generation, verified" or "window"
	Why     string    // why this mode is in force, in a sentence
	Held    bool      // what Held returns
	Word    uint64    // what Load returns
	Refused []Refusal // the rungs of the ladder that were tried and are not in force
}

// A Refusal is a mode that is not in force, and the reason.
type Refusal struct{ Mode, Why string }

// Status reports what is in force. It waits for nothing.
func Status() Report {
	r := Report{Mode: modeWindow, Why: "nothing has been looked for yet: the word is searched at the first reseed"}
	if p := published.Load(); p != nil {
		r = *p
		r.Refused = slices.Clone(p.Refused)
	}
	r.Held, r.Word = Held(), Load()
	return r
}
