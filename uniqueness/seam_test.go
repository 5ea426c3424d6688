// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package uniqueness

import "testing"

func TestSeamOff(t *testing.T) {
	t.Cleanup(forget)
	setOff(true)
	Check()
	want(t, "window", false, "")
	before := Load()
	Check()
	if Load() != before {
		t.Fatal("the word moves though it is off")
	}
	setOff(false)
	Check()
	r := Status()
	forget()
	Check()
	want(t, r.Mode, r.Held, "")
}

func TestSeamWord(t *testing.T) {
	t.Cleanup(forget)
	Check()
	real := Load()
	var first, second uint64
	setWord(&first)
	want(t, "test", true, "")
	before := Load()
	if before <= real {
		t.Fatalf("a test's word is %d, below the real one's %d", before, real)
	}
	Check()
	if got := advance(); got != before+1 || Load() != got {
		t.Fatalf("advanced to %d, Load is %d", got, Load())
	}
	setWord(&second)
	if Load() <= before {
		t.Fatal("the second word lies below the first")
	}
}
