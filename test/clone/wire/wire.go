// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package wire is what the clone test and its guest say to each other: three short
// messages in encoding/gob over a serial port, and a tray, memory that both
// see. It is not for other use.
package wire

// Workers is the number of goroutines that draw in the guest, and of its CPUs.
const Workers = 2

// Streams are what each worker draws from, in this order, in every round.
const (
	Fount = iota
	CryptoRand
	MathRand
	Naive // a ChaCha8 of each worker, seeded before the snapshot
	Streams
)

// Names are the names of the streams.
var Names = [Streams]string{"fount.Nonce", "crypto/rand.Read", "math/rand/v2.Uint64", "seeded ChaCha8"}

// Sizes are the sizes of their values in bytes.
var Sizes = [Streams]int{16, 16, 8, 8}

// TraySize is the size of the memory that guest and test share: the Marks, and at
// MarksSize the Dump.
const (
	TraySize  = 64 << 20
	MarksSize = 4096
)

// Marks says how far the workers are, at any instant.
type Marks [Workers]Mark

// Mark is one worker's. Draw number i of a stream was made before the snapshot
// if i < Done, is made after it if i >= Begun, and was under way in between.
type Mark struct {
	Begun, Done [Streams]uint64
	Word        uint64 // as loaded last
}

// Ready is the guest's first message: every worker draws, and goes on.
type Ready struct {
	Kernel  string // its release
	Go      string
	Status  []byte // fount.Status() in JSON
	Word    uint64
	Held    bool
	Reseeds int // of the kernel, asked for until the word was held
}

// Resume is the test's message to a clone that has been resumed.
type Resume struct {
	From  [Workers]uint64 // the first draw that is wanted of each worker
	Since [Callers]uint64 // likewise of each caller
	Word  uint64          // at the snapshot
	Await bool            // let the word move first, then make More draws
	More  uint64
}

// Done is the guest's last message.
type Done struct {
	Bytes int // of the Dump
}

// Dump is what the guest leaves in the tray.
type Dump struct {
	Status []byte
	Word   uint64
	Held   bool
	Worker [Workers][Streams]Records
	// Moved is the time from each worker's first round after the snapshot to
	// its first round that ended with another word, in nanoseconds; -1: none.
	Moved [Workers]int64
}

// Records are consecutive draws.
type Records struct {
	Runs   []Run  // the words around them
	Values []byte // the values, one after the other
}

// A Run is N consecutive draws with the same words loaded before and after.
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
