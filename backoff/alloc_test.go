// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race

package backoff

import "testing"

// Neither a call that succeeds at once nor a delay costs memory. (The race detector
// allocates by itself, so this is not compiled with it.)
func TestAllocations(t *testing.T) {
	d := Policy{Jitter: Decorrelated}.Delays()
	ok := func() error { return nil }
	for name, f := range map[string]func(){
		"Next":                      func() { d.Next() },
		"Delays":                    func() { full := Policy{}.Delays(); full.Next() },
		"Retry, f succeeds at once": func() { Retry(t.Context(), Policy{}, ok) },
	} {
		if got := testing.AllocsPerRun(1000, f); got != 0 {
			t.Errorf("%s: %v allocations; want 0", name, got)
		}
	}
}
