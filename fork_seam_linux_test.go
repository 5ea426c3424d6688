// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package fount_test

import (
	"testing"

	"fount/internal/seam"
)

func init() {
	children["fork without wiping"] = func() {
		seam.SetUnwiped(true)
		forkAndDraw()
	}
}

// The negative control of TestForkedProcessesDiffer: without the wiping, the
// child and its child draw what their parent draws. (Unless the kernel reseeds
// meanwhile, which it does each minute and when another test asks it to: then
// the word moves, and they draw again.)
func TestForkedProcessesRepeatWithoutWiping(t *testing.T) {
	var draws []string
	for range 20 {
		draws = forked(t, "fork without wiping")
		if draws[1] == draws[0] && draws[2] == draws[0] {
			return
		}
	}
	t.Errorf("control: the processes drew %v, want the same three times", draws)
}
