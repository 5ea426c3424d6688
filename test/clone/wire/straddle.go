// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package wire

// What is said where draws straddle refills: Ready and Resume as usual, and other Marks
// and another Dump in the tray.

// StraddlingDraws is what the kernel's command line has for it.
const StraddlingDraws = "draws=straddling"

// A Way is one way to draw bytes, and how many callers draw so and no other way.
type Way struct {
	Name    string
	Size    int // bytes of a draw
	Callers int
	Kept    int // draws that a caller keeps, the latest: a kernel that 46 threads keep busy may move the word late
	More    int // draws that it makes after the first that ended with another word
}

// Ways are all. A buffer serves 992 bytes. A Key comes with a Uint32 that is not
// kept, as 992 is a multiple of 32.
var Ways = [...]Way{
	{"Key", 32, 6, 1 << 14, 64},
	{"Read of 1000 B", 1000, 6, 768, 8},
	{"Token of 600 B", 600, 6, 768, 8},
	{"Text, its first 15 B", 15, 6, 1 << 14, 64},
	{"Read of 256 KiB", Bulk, 2, 12, 1},
	{"two Reads of 500 B, joined", 1000, 8, 768, 8},
}

// Special ways, by index.
const (
	Joined = len(Ways) - 1 // two draws, whose generations may differ: the control
	Bulk   = 256 << 10     // the size of a draw that keeps whole chunks
	Chunk  = 64 << 10      // of these
)

// Callers is the number of all callers.
const Callers = 4*6 + 2 + 8

// CallerMarks says how far the callers are, at any instant, as Marks does.
type CallerMarks [Callers]struct{ Begun, Done uint64 }

// A CallerDump is one caller's draws since the snapshot.
type CallerDump struct {
	Way    int
	First  uint64      // the number of the first that is kept
	Words  [][2]uint64 // before and after each draw
	Values []byte      // one after the other
}

// StraddlingDump is what the guest leaves in the tray.
type StraddlingDump struct {
	Word    uint64
	Redone  [2]uint64 // fount.Status's, before the snapshot and at the end
	Callers [Callers]CallerDump
}
