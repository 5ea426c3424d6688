// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// fount version, and fount --version.

package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "version of fount and Go, operating system, architecture",
		Example: "  fount version",
		Args:    atMost(0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return printVersion(cmd) },
	}
}

func printVersion(cmd *cobra.Command) error {
	_, err := fmt.Fprintln(cmd.OutOrStdout(), versionLine())
	return err
}

// versionLine names the version of the program, the Go release that built it, and the platform.
func versionLine() string {
	info, _ := debug.ReadBuildInfo()
	return fmt.Sprintf("fount %s (%s %s/%s)", version(info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version is the module version, which since Go 1.24 carries the revision of a build in a repository;
// else "devel", with the revision where one was recorded.
func version(info *debug.BuildInfo) string {
	if info == nil {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	text := "devel"
	var modified bool
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			text += "-" + s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	if modified {
		text += "+dirty"
	}
	return text
}
