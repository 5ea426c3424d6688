// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !(gc && !race && !purego && go1.26 && !go1.28)

package shard

import (
	"runtime"
	"testing"
)

// A token that the pool drops gives its state back, wiped.
func TestDroppedTokenGivesItsStateBack(t *testing.T) {
	var taken []token
	before := ReadStats().States
	for range 20 {
		_, tok := acquire()
		taken = append(taken, tok)
	}
	held := ReadStats().States
	if held < 20 {
		t.Fatalf("20 tokens hold %d states", held)
	}
	clear(taken) // dropped, never released
	taken = nil
	for range 1000 { // cleanups run some time after a collection
		runtime.GC()
		runtime.Gosched()
		if ReadStats().States <= before {
			return
		}
	}
	t.Errorf("%d states are in use after their tokens were dropped, %d before", ReadStats().States, before)
}
