// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package turn

import "testing"

// A park that can't wait yields.
func TestParkOfABrokenPipe(t *testing.T) {
	p := newPipe()
	if p == nil {
		t.Skip("pipes don't go through the network poller here")
	}
	if !p.wait() {
		t.Error("a pipe is not waited at")
	}
	p.r.Close()
	if p.wait() {
		t.Error("a closed pipe is waited at")
	}
	p.w.Close()
}
