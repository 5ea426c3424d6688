// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package erase

import (
	"bytes"
	"testing"
)

func TestWipe(t *testing.T) {
	b := bytes.Repeat([]byte{7}, 100)
	Wipe(b[10:90])
	want := append(bytes.Repeat([]byte{7}, 10), append(make([]byte, 80), bytes.Repeat([]byte{7}, 10)...)...)
	if !bytes.Equal(b, want) {
		t.Errorf("after Wipe: %v", b)
	}
	Wipe(nil)
}

func TestNew(t *testing.T) {
	type state struct{ a, b [192]byte }
	s := New[state](1000)
	if len(s) != 1000 {
		t.Fatalf("%d values, want 1000", len(s))
	}
	for i := range s {
		if s[i] != (state{}) {
			t.Fatalf("value %d is not zero", i)
		}
		s[i].a[0], s[i].b[191] = byte(i), byte(i>>8)
	}
	other := New[state](1000)
	for i := range s {
		if s[i].a[0] != byte(i) || s[i].b[191] != byte(i>>8) {
			t.Fatalf("value %d changed", i)
		}
		if other[i] != (state{}) {
			t.Fatalf("value %d of another New is not zero", i)
		}
	}
}
