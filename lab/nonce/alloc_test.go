// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race

// A test that the methods do not allocate.

package nonce

import (
	"errors"
	"testing"
)

// Draws don't allocate: a collection in the middle of a turn would count as the method's cost, or as its neighbour's.
// (The race detector's allocations are its own.)
func TestDrawsDoNotAllocate(t *testing.T) {
	for _, m := range all() {
		src, err := m.Open()
		if errors.Is(err, errors.ErrUnsupported) {
			t.Logf("%s: %v", m.Name, err)
			continue
		}
		w := src.Worker(0)
		if n := testing.AllocsPerRun(100, func() { w.Draw(64) }); n > 0 {
			t.Errorf("%s: %v allocations for 64 nonces, want 0", m.Name, n)
		}
		w.Close()
		src.Close()
	}
}
