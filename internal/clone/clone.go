// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package clone detects that this virtual machine was cloned or restored from a snapshot. It reads
// a counter that is greater afterwards than before. The counter is not a source of randomness: all
// clones of a snapshot see the same new value, so it must never be mixed into anything.
//
// # Contract
//
// If [Trusted] is true, [Load] returns a greater value after a clone than before it: at once in
// mode "vmclock", and in mode "kernel generation, verified" once the clone's kernel has reseeded.
// Until then, which is until it has handled the hypervisor's interrupt, Load returns the old value
// and the kernel gives all clones the same bytes.
//
// If Trusted is false, this process can't see clones, and the caller must assume that one happens
// between any two of its instructions. Load may then change too, but need not.
//
// A caller that keeps secret state stores Load's value with it. After each use of the state it
// compares that value with Load's, and throws the result away if they differ. When it makes new
// state, it calls Load before Trusted: if the counter is dropped in between, the state is stale
// from the beginning.
//
// The caller runs [Check] before it draws fresh bytes from the kernel. The first Check starts the
// search for a counter, and later ones continue it or verify what was found. After a lack of
// descriptors or memory the search continues after 100 ms at the earliest; [Status] says so.
//
// # Modes
//
// The first of these that works is used. [Status] names it, and says why:
//
//   - "vmclock": /dev/vmclock0 (Linux 7.0), vm_generation_counter, or disruption_marker where the
//     hypervisor has no such counter. It changes before the clone's first instruction, but also
//     before the kernel has reseeded: see [Settling].
//   - "kernel generation, verified": how often the kernel's own generator was reseeded, from Linux
//     6.11 on amd64 (6.12 on arm64), in the process's [vvar] pages. Its address there is not part of
//     the ABI. So it is compared with what the vDSO stores when found and at each Check, and dropped
//     for good if they differ. It is trusted only where the kernel has a device that reports clones,
//     shown in /sys under the driver vmgenid.
//   - "window": no counter is trusted. If the kernel's generation was found, Load still returns it:
//     it changes when the kernel reseeds, once in 60 s. Otherwise Load never changes.
//
// There is no mode for a machine without a hypervisor: a hypervisor may hide all its signs, and a
// hibernated machine whose disk was copied is a clone too.
//
// # What it can't see
//
// It can't see a clone taken after the caller's last comparison, a process that is checkpointed and
// restored (CRIU, gVisor), or a fork, which copies the process and not the machine.
//
// # Concurrency
//
// Every function may be called from any goroutine.
package clone

import "sync/atomic"

// The modes of a [Report].
const (
	modeVMClock = "vmclock"
	modeKernel  = "kernel generation, verified"
	modeWindow  = "window"
)

// Modes returns the modes, the best first.
func Modes() []string { return []string{modeVMClock, modeKernel, modeWindow} }

// Load returns the counter. Its values only grow and have no other meaning. It is inlined into two
// loads: of a pointer and of the counter.
func Load() uint64 { return atomic.LoadUint64(counter.Load()) }

// Trusted reports whether the counter changes when the machine is cloned. It is one load.
func Trusted() bool { return trusted.Load() }

// A Report says which counter is used in this process.
type Report struct {
	Mode string // "vmclock", "kernel generation, verified" or "window"
	Why  string // why this mode is in force, in a sentence
}

// Status reports the mode in force. It does not block.
func Status() Report {
	if r := published.Load(); r != nil {
		return *r
	}
	return Report{modeWindow, "no counter has been searched for yet: the first reseed does that"}
}
