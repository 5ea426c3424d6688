// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package uniqueness

import "testing"

func TestSeamDevices(t *testing.T) {
	t.Cleanup(forget)
	clock, p := clockPage(t)
	setDevice(clock)
	Check()
	want(t, "vmclock", true, clock)
	before := Load()
	p.put64(clockCounterAt, 23)
	if Load() != before+1 {
		t.Fatal("Load did not move with the stand-in")
	}
}
