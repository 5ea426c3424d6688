// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package version says from what fount and fountd were built.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// A Build says from what a program was built.
type Build struct {
	Version string `json:"version"`          // of the module; "devel" of a checkout
	Commit  string `json:"commit,omitempty"` // if it was built in a repository
	Date    string `json:"date,omitempty"`   // of the commit
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// This returns what the go command stamped on the running program.
func This() Build {
	b := Build{Version: "devel", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "(devel)" {
		b.Version = cmp.Or(info.Main.Version, b.Version)
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		}
	}
	return b
}

// String returns the version, the commit and its date.
func (b Build) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %.12s %s", b.Version, b.Commit, b.Date))
}
