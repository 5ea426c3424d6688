// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package uniqueness

import "testing"

func TestHookOff(t *testing.T) {
	t.Cleanup(Forget)
	SetOff(true)
	Check()
	want(t, "window", false, "")
	before := Load()
	Check()
	if Load() != before {
		t.Fatal("the word moves though it is off")
	}
	SetOff(false)
	Check()
	r := Status()
	Forget()
	Check()
	want(t, r.Mode, r.Held, "")
}

func TestHookWord(t *testing.T) {
	t.Cleanup(Forget)
	Check()
	real := Load()
	var first, second uint64
	SetWord(&first)
	want(t, "test", true, "")
	before := Load()
	if before <= real {
		t.Fatalf("a test's word is %d, below the real one's %d", before, real)
	}
	Check()
	if got := Advance(); got != before+1 || Load() != got {
		t.Fatalf("advanced to %d, Load is %d", got, Load())
	}
	SetWord(&second)
	if Load() <= before {
		t.Fatal("the second word lies below the first")
	}
}
