// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package pages pastes what the pages for newcomers show. It holds tests only.
package pages

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fount/internal/test/freeport"
	"fount/internal/test/require"
	"fount/internal/test/socketdir"
)

// What a page shows, pasted in order into a folder that holds the checkout, builds, passes its own
// test and prints what the page says.
func TestPages(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("takes minutes, and downloads modules (FOUNT_LONG=1 runs it)")
	}

	root, _ := filepath.Abs("../../../..")
	for name, needs := range map[string]string{
		"docs/signin.md":           "curl --version",
		"docs/tokens.md":           "go version",
		"clients/devise/README.md": `puma --version && ruby -e 'require "devise"; require "sqlite3"; require "rails"'`,
		"clients/node/README.md":   "node --version",
		"clients/php/README.md":    `php -r 'curl_init(); new PDO("sqlite::memory:");'`,
		"clients/python/README.md": "flask --version",
		"clients/spring/README.md": "mvn -q -B -f fount/clients/spring/example/pom.xml dependency:resolve",
	} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(root + "/" + name)
			if err != nil {
				t.Fatal(err)
			}
			page := string(text)
			if name == "docs/tokens.md" {
				page += calls(page)
			}
			typed, want := script(page)

			dir := socketdir.New(t)
			os.Symlink(root, dir+"/fount")
			cmd := exec.Command("setsid", "bash", "-ec", strings.NewReplacer(
				"../fount", "./fount", "8000", freeport.Port(t), "8080", freeport.Port(t), "9464", freeport.Port(t),
			).Replace("{ "+needs+`; } >&2 || exit 77
				trap 'trap "" TERM; kill 0' EXIT
				`+typed))
			cmd.Dir = dir
			cmd.Stderr = t.Output()
			got, err := cmd.Output()
			if cmd.ProcessState.ExitCode() == 77 {
				require.Skip(t, strings.Split(name, "/")[1], "something that the page needs is missing")
			}
			if err != nil || string(got) != want {
				t.Errorf("%v; it prints\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}

// script returns what to type for a page, and what that prints.
func script(page string) (typed, prints string) {
	for _, block := range regexp.MustCompile("(?ms)^```(go|sh|console)\n(.*?)^```").FindAllStringSubmatch(page, -1) {
		switch text := block[2]; block[1] {
		case "go": // the first line names the file
			typed += "cat >" + strings.Fields(text)[1] + " <<'END'\n" + text + "END\n"
		case "sh":
			typed += "{\n" + text + "} >&2\n"
		case "console":
			typed += `[ ! -e fountd ] || timeout 300 bash -c '
				until ./fountd health --socket fountd.sock && curl -so /dev/null localhost:8000; do sleep .2; done' >&2` + "\n"
			for line := range strings.Lines(text) {
				if command, ok := strings.CutPrefix(line, "$ "); ok {
					typed += command
				} else {
					prints += line
				}
			}
		}
	}
	return typed, prints
}

// calls returns blocks that compile and run the calls in a page's tables, old ones and new ones, a
// package in each section.
func calls(page string) (blocks string) {
	for _, section := range strings.Split(page, "\n## ")[1:] {
		pkg, text, _ := strings.Cut(section, "\n")
		uses := ""
		for line := range strings.Lines(text) {
			for i, word := range strings.Split(line, "`") {
				if line[0] == '|' && i%2 == 1 {
					uses += "\tuse(" + word + ")\n"
				}
			}
		}
		blocks += "```go\n// calls.go" + `
package main

import (
	"database/sql"
	"encoding/base64"
	"math/big"
	"time"

	"fount"
	"` + pkg + `"
)

func use(...any) {}

func main() {
	use(sql.ErrNoRows, base64.StdEncoding, time.Second)
	b, n, s, u := make([]byte, 16), big.NewInt(6), "919108f7-52d1-4320-9bac-f847db4148a8", fount.NewUUID()
	use(b, n, s, u)
` + uses + "}\n```\n\n```sh\ngo mod tidy\ngo run calls.go\n```\n"
	}
	return blocks
}
