// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package require

import "testing"

func TestNames(t *testing.T) {
	for _, test := range []struct {
		value string
		want  bool
	}{{"", false}, {"fuse", true}, {"v9fs,fuse", true}, {"fuse,v9fs", true}, {"fusebox", false}, {"v9fs", false}} {
		t.Setenv("FOUNT_REQUIRE", test.value)
		if got := Names("fuse"); got != test.want {
			t.Errorf("FOUNT_REQUIRE=%s names fuse: %v", test.value, got)
		}
	}
}

// recorder is a test whose end is recorded.
type recorder struct {
	testing.TB
	failed, skipped bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Fatalf(string, ...any) { r.failed = true; panic(r) }
func (r *recorder) Skipf(string, ...any)  { r.skipped = true; panic(r) }

func TestSkip(t *testing.T) {
	for value, fails := range map[string]bool{"": false, "statistics": false, "statistics,fuse": true} {
		t.Setenv("FOUNT_REQUIRE", value)
		r := &recorder{}
		func() {
			defer func() { recover() }()
			Skip(r, "fuse", "no /dev/fuse")
		}()
		if r.failed != fails || r.skipped == fails {
			t.Errorf("FOUNT_REQUIRE=%s: failed %v, skipped %v", value, r.failed, r.skipped)
		}
	}
}
