// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

// Package seam lets tests change the library under itself: take the kernel away, break a source, move
// the uniqueness word. It is in no normal build: it needs the build tag fount_test.
//
// A seam is a file seam_on.go with that tag, and a twin seam_off.go in which it does nothing. Packages
// that users import export no seam; theirs set the variables of this package, which tests call. They are
// for one goroutine at a time.
package seam

// A Route is where entropy.Kernel takes its bytes.
type Route uint32

const (
	RouteKernel  Route = iota // as in a normal build
	RouteSyscall              // Linux: the getrandom system call, never the vDSO
	RouteFail                 // every draw fails
	RouteZero                 // every draw is zeros: shows what else goes into a key
)

// A Fault is what is wrong with the hardware under a source.
type Fault uint32

const (
	FaultNone  Fault = iota // as in a normal build
	FaultStuck              // the same number each time; a clock stands still
	FaultOnes               // all ones, and a report of success
	FaultEmpty              // no number; a clock always has one
)

// Package entropy sets these.
var (
	// SetRoute changes where Kernel takes its bytes.
	SetRoute func(Route)

	// SetFault breaks the hardware under the source of that name (rdseed, rdrand or jitter), or mends it,
	// and reports whether there is one. Either way it makes the source forget: it is as before its first use.
	SetFault func(source string, f Fault) (known bool)
)

// Package uniqueness sets these. They take effect with the next Check unless they say otherwise. After
// one, make the callers' state stale (fount.Reseed): it was made under another word.
var (
	// SetDevice puts a plain file, of a page at least, in the place of vmclock's device, and forgets what
	// was found; "" stands for the device.
	SetDevice func(vmclock string)

	// SetOff forces mode "window" at once, or lets the search begin anew.
	SetOff func(off bool)

	// SetWord makes p the word at once, in a mode "test" that is held whether p moves or not. It raises *p
	// far above all values that were given out, and above those of real words.
	SetWord func(p *uint64)

	// Advance moves the word of SetWord by one, as a clone would find it moved, and returns it.
	Advance func() uint64

	// Forget undoes the others and forgets what was found: Load stands still at 0 until the next Check.
	Forget func()
)

// SetUnwiped makes a forked child find the parent's states, and not zeros, in memory that is mapped from
// now on. Package erase sets it.
var SetUnwiped func(bool)
