// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The memory of the pool at full size, with fewer callers than fount load password memory has.

package logins

import (
	"os"
	"testing"
)

func TestMemoryAtFullSize(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this makes 100 hashes of 64 MiB")
	}
	terms := DefaultMemory()
	terms.Callers = 100
	r, err := terms.Measure(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Conditions {
		if !c.Met {
			t.Error(c)
		}
	}
}
