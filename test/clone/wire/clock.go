// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package wire

// What is said where the clock is the seed: Ready and Resume as usual, and other Marks and another Dump in the tray.

// ClockDraws is what the kernel's command line has for it.
const ClockDraws = "draws=clock"

// ClockMark says how far the guest's draws are, at any instant, as Mark does.
type ClockMark struct {
	Begun, Done uint64
	Seed        int64 // of the latest that is done
}

// A ClockDraw is a seed of the clock and a draw of fount beside it.
type ClockDraw struct {
	Seed          int64 // time.Now().UnixNano()
	Nonce         [16]byte
	Before, After uint64 // the words around the Nonce
}

// ClockDump is what the guest leaves in the tray. Each clone seeds three times.
type ClockDump struct {
	Source string    // the kernel's clock source
	Kept   int64     // the seed of the guest's start
	First  ClockDraw // the first that began after the snapshot, of a goroutine that draws all the time
	Asked  ClockDraw // when the clone has received its order, as a server seeds on a request
	Moved  ClockDraw // after the word has moved
}
