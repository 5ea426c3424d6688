// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package clone

// The word behind Load: which memory it lies in, and that it never seems to go back when that
// changes.

import (
	"errors"
	"sync/atomic"
)

var (
	word  atomic.Pointer[uint64] // never nil
	held  atomic.Bool
	still uint64 // never moves: for when there is no other word (globals are aligned for atomics)
)

func init() { word.Store(&still) }

// leap is what a word that is dropped is left behind by. A goroutine may be between the two loads
// of Load while the pointer changes, and may read the old word later: 2^32 events on, it would
// still read less than the new word has.
const leap = 1 << 32

// limit is the first value that is too great for a word to be taken: there must be room for leaps.
const limit = 1 << 63

var (
	errBehind = errors.New("its value is less than one already given out, so that values would repeat")
	errLimit  = errors.New("its value is 2^63 or more, so it is not a counter of such events")
)

// watch puts w behind Load. Whether it is held is said afterwards. The order matters to callers
// that read Load before Held: if Held is true, the value is of the old word, which is stale then,
// or of this one.
func watch(w *uint64) error {
	switch v := atomic.LoadUint64(w); {
	case v < Load():
		return errBehind
	case v >= limit:
		return errLimit
	}
	word.Store(w)
	return nil
}

// abandon puts a word that never moves behind Load, above every value up to now. seen is the
// greatest known. It is a new one: a goroutine that was about to read still before a word was taken
// would read the new value there, and the old word's at its next Load.
func abandon(seen uint64) {
	held.Store(false)
	last := max(seen, Load()) + leap
	word.Store(&last)
}
