// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package counter

import (
	"slices"
	"testing"
	"time"
)

// Of a byte's four counts each is shifted by 2 bits more than the next, worked out by hand; the bits of the byte before that are still
// there are shifted out of it.
func TestFold(t *testing.T) {
	counts := []uint64{1, 2, 3, 1, 0, 0, 0, 0x104}
	want := []byte{1<<6 ^ 2<<4 ^ 3<<2 ^ 1, 4}
	got := make([]byte, 2)
	i := 0
	fold(got, func() uint64 { i++; return counts[i-1] })
	if !slices.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

// The loop counts until it sticks or is stopped.
func TestCounter(t *testing.T) {
	c := Start(time.Microsecond)
	for c.Tick() == 0 {
	}
	c.Stick()
	for range 100 {
		if n := c.Tick(); n != 0 {
			t.Fatalf("it counted %d while stuck", n)
		}
	}
	c.Stop()
}
