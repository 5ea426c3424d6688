// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the version line.

package cli

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123456789abcdef01234567"}
	modified := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	clean := debug.BuildSetting{Key: "vcs.modified", Value: "false"}
	for _, test := range []struct {
		main     string
		settings []debug.BuildSetting
		want     string
	}{
		{"", nil, "devel"},
		{"(devel)", nil, "devel"},
		{"(devel)", []debug.BuildSetting{revision, clean}, "devel-0123456789ab"},
		{"(devel)", []debug.BuildSetting{revision, modified}, "devel-0123456789ab+dirty"},
		{"v1.2.3", []debug.BuildSetting{revision, modified}, "v1.2.3"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: test.main}, Settings: test.settings}
		if got := version(info); got != test.want {
			t.Errorf("version %q, settings %v: %q, want %q", test.main, test.settings, got, test.want)
		}
	}
	if got := version(nil); got != "devel" {
		t.Errorf("without build information: %q, want devel", got)
	}
}
