// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package uniqueness

import "testing"

func TestSeamDevices(t *testing.T) {
	t.Cleanup(forget)
	clock, _ := clockPage(t)
	id, p := standIn(t)
	p.put32(0, 5)
	setDevices(clock, id)
	Check()
	want(t, "vmclock", true, clock)
	setDevices("", id)
	Check()
	want(t, "sysgenid", true, id)
	p.put32(0, 6)
	if Load() != 6 {
		t.Fatal("Load did not move with the stand-in")
	}
}
