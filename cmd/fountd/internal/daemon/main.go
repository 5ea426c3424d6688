// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package daemon runs fountd: its commands, its start, reloads and end. Package server's comment
// lists the steps of a request.
package daemon

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"fount/cmd/fountd/internal/config"
	"fount/cmd/internal/lab/show"
	"fount/cmd/internal/version"
)

const (
	about = "fountd hashes and verifies passwords for programs in any language, over HTTP."

	commands = `  fountd [flags]          serve until SIGTERM; SIGHUP reloads
  fountd config [flags]   print all settings as TOML
  fountd health [flags]   ask the server with these settings whether it is ready
` + keyHelp + `  fountd version
  fountd help
`

	flags = "Flags (each is also a key of the file, and a variable such as FOUNTD_MAX_WAIT):"
)

// help returns the help text, in lines of at most width columns. deploy/release makes both man pages
// of it: a row that begins with a hyphen becomes a key of fountd.toml.
func help(width int) string {
	text := show.Paragraph(about, width, "", "") + "\n"
	for line := range strings.Lines(commands) {
		command, meaning, _ := strings.Cut(strings.TrimSpace(line), "  ")
		text += config.HelpRow(command, meaning, width)
	}
	return text + "\n" + show.Paragraph(flags, width, "", "") + config.Flags(width)
}

// A usageError is a wrong command line or setting.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Main runs a command and returns the exit status: 1 if it failed, 2 for a usageError.
func Main(args []string, stdout, stderr io.Writer) int {
	lines := newLogWriter(stderr)
	defer lines.flush()

	err := runCommand(args, stdout, lines)
	if errors.Is(err, flag.ErrHelp) {
		_, err = io.WriteString(stdout, help(show.StyleOf(stdout).Width))
	}
	if err == nil {
		return 0
	}

	fmt.Fprintln(lines, "fountd:", err)
	if errors.As(err, new(usageError)) {
		return 2
	}
	return 1
}

// runCommand runs the command that args begin with, or serves. It returns flag.ErrHelp for the help.
func runCommand(args []string, stdout io.Writer, lines *logWriter) error {
	name := ""
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		name = args[0]
		args = args[1:]
	}

	switch name {
	case "help":
		return flag.ErrHelp
	case "version":
		_, err := fmt.Fprintln(stdout, "fountd", version.This())
		return err
	case "key":
		return keyCommand(args, stdout)
	case "", "config", "health": // which need the settings
	default:
		return usageError{fmt.Errorf("unknown command %q; want config, health, key, version or help, or none to serve", name)}
	}

	c, err := config.Load(args)
	if err != nil {
		return usageError{err}
	}
	switch name {
	case "config":
		return c.Show(stdout)
	case "health":
		return health(c, stdout)
	}
	return run(c, args, lines)
}

// health asks the server of these settings whether it is ready.
func health(c *config.Config, stdout io.Writer) error {
	network := "tcp"
	address := c.Admin // reachable even if all connections of the socket are in use
	if address == "" {
		network = "unix"
		address = c.Socket
	}
	if address == "" {
		return errors.New("no server to ask: give --socket PATH or --admin ADDRESS")
	}

	client := http.Client{Timeout: 4 * time.Second, Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}}
	reply, err := client.Get("http://fountd/readyz")
	if err != nil {
		return err
	}
	defer reply.Body.Close()

	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, reply.Status)
	}
	_, err = io.Copy(stdout, reply.Body)
	return err
}
