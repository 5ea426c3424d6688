// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package version returns the version that fount and fountd were built from.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// A Build describes what a program was built from.
type Build struct {
	Version string `json:"version"`          // of the module, or "devel"
	Commit  string `json:"commit,omitempty"` // if it was built in a repository
	Date    string `json:"date,omitempty"`   // of the commit
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// This returns the Build of the running program, as the go command recorded it.
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
