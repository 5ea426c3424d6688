// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package daemon is the life of fountd: it starts, reloads and ends.
package daemon

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"

	"fount/cmd/fountd/internal/config"
)

const help = `fountd hashes and verifies passwords for programs in any language, over HTTP.

  fountd [flags]          serve until SIGTERM; SIGHUP reloads
  fountd config [flags]   print all settings as TOML
` + keyHelp + `  fountd version
  fountd help

Flags (each is also a key of the file, and a variable such as FOUNTD_MAX_WAIT):

`

// Main runs a command and returns the exit status: 2 for a wrong command line or setting.
func Main(args []string, stdout, stderr io.Writer) int {
	command := ""
	if len(args) > 0 && len(args[0]) > 0 && args[0][0] != '-' {
		command, args = args[0], args[1:]
	}
	var err error
	switch command {
	case "help":
		_, err = io.WriteString(stdout, help+config.Flags())
	case "version":
		_, err = fmt.Fprintln(stdout, version())
	case "key":
		if err = keyCommand(args, stdout); errors.Is(err, errKeyUsage) {
			fmt.Fprintln(stderr, "fountd:", err)
			return 2
		}
	case "", "config":
		var c *config.Config
		if c, err = config.Load(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return Main([]string{"help"}, stdout, stderr)
			}
			fmt.Fprintln(stderr, "fountd:", err)
			return 2
		}
		if command == "config" {
			err = c.Show(stdout)
			break
		}
		err = run(c, args, slog.New(slog.NewTextHandler(stderr, nil)))
	default:
		fmt.Fprintf(stderr, "fountd: unknown command %q; want config, key, version or help, or none to serve\n", command)
		return 2
	}
	if err != nil {
		fmt.Fprintln(stderr, "fountd:", err)
		return 1
	}
	return 0
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "fountd (devel)"
	}
	return "fountd " + info.Main.Version
}
