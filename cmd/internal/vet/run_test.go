// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import "testing"

// A line directive leaves out the column; a path of Windows has a colon of its own.
func TestPosition(t *testing.T) {
	for in, want := range map[string]string{
		"/a/b.go:3:7":     "/a/b.go:3:7: m",
		"/a/foo.y:10":     "/a/foo.y:10: m",
		`C:\a\b.go:3:7`:   `C:\a\b.go:3:7: m`,
		`C:\a\foo.y:10`:   `C:\a\foo.y:10: m`,
		"/a/b:c/foo.y:10": "/a/b:c/foo.y:10: m",
	} {
		f := Finding{Message: "m"}
		f.File, f.Line, f.Column = position(in)
		if got := f.String(); got != want {
			t.Errorf("position of %q is %q, want %q", in, got, want)
		}
	}
}
