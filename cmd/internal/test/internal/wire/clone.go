// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package wire

// A guest that is cloned says Ready. Each clone is told to Resume, leaves its draws in the tray,
// which is memory that test and guest share, and says Done. Large results would take seconds on the
// console, at 100 kB/s.

// Workers is the number of goroutines that draw in rounds, and of the machine's CPUs.
const Workers = 2

// Each worker draws from these streams, in this order, in every round.
const (
	Fount = iota
	CryptoRand
	MathRand
	Naive // a ChaCha8 of each worker, seeded before the snapshot
	Streams
)

// Names and Sizes are the streams' names and the bytes of their values.
var (
	Names = [Streams]string{"fount.Nonce", "crypto/rand.Read", "math/rand/v2.Uint64", "seeded ChaCha8"}
	Sizes = [Streams]int{16, 16, 8, 8}
)

// The tray holds the Marks or the CallerMarks and, at MarksSize, the dump in encoding/gob.
const (
	TraySize  = 64 << 20
	MarksSize = 4096
)

// Marks says at any instant how far the workers are. Draw number i of a stream was made before the
// snapshot if i < Done, after it if i >= Begun, and was under way in between.
type Marks [Workers]struct {
	Begun, Done [Streams]uint64
	Word        uint64 // the word as loaded last
}

// Ready says that the guest draws, and goes on.
type Ready struct {
	Status []byte // fount.Status() in JSON
	Word   uint64
	Held   bool
}

// Resume tells a clone what to do.
type Resume struct {
	From  [Workers]uint64 // the first draw that is wanted of each worker
	Since [Callers]uint64 // likewise of each caller
	Word  uint64          // at the snapshot
	Await bool            // let the word move first, then make More draws
	More  uint64
}

// Done says that the tray holds a dump of so many bytes.
type Done struct{ Bytes int }

// Dump is the dump of the workers.
type Dump struct {
	Status []byte
	Word   uint64
	Worker [Workers][Streams]Records
}

// Records are consecutive draws.
type Records struct {
	Runs   []Run
	Values []byte // one after the other
}

// A Run is N consecutive draws with the same words loaded before and after each.
type Run struct {
	Before, After uint64
	N             int
}

// Add appends one draw.
func (r *Records) Add(before, after uint64, value []byte) {
	if n := len(r.Runs); n > 0 && r.Runs[n-1].Before == before && r.Runs[n-1].After == after {
		r.Runs[n-1].N++
	} else {
		r.Runs = append(r.Runs, Run{before, after, 1})
	}
	r.Values = append(r.Values, value...)
}

// A Way is one way to draw bytes, and how many callers draw so and no other way.
type Way struct {
	Name    string
	Size    int // bytes of a draw
	Callers int
	Kept    int // of a caller's latest draws: a busy kernel may move the word late
	More    int // draws after the first that ended with another word
}

// Ways are all. A buffer serves 992 bytes, a multiple of 32, so a Key comes with a Uint32 that is
// not kept. The last way is the control: the generations of its two draws may differ.
var Ways = [...]Way{
	{"Key", 32, 6, 1 << 14, 64},
	{"Read of 1000 B", 1000, 6, 768, 8},
	{"Token of 600 B", 600, 6, 768, 8},
	{"Text, its first 15 B", 15, 6, 1 << 14, 64},
	{"Read of 256 KiB", Bulk, 2, 12, 1},
	{"two Reads of 500 B, joined", 1000, 8, 768, 8},
}

const (
	Joined  = len(Ways) - 1 // the index of the control
	Bulk    = 256 << 10     // the size of a draw that keeps whole chunks
	Chunk   = 64 << 10      // of these
	Callers = 4*6 + 2 + 8
)

// CallerMarks says at any instant how far the callers are, as Marks does.
type CallerMarks [Callers]struct{ Begun, Done uint64 }

// A CallerDump is one caller's draws since the snapshot.
type CallerDump struct {
	Way    int
	First  uint64      // the number of the first that is kept
	Words  [][2]uint64 // before and after each draw
	Values []byte
}

// StraddlingDump is the dump of the callers.
type StraddlingDump struct {
	Word    uint64
	Callers [Callers]CallerDump
}
