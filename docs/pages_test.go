// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package docs

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	block = regexp.MustCompile("(?ms)^```(go|sh|console)\n(.*?)^```")
	row   = regexp.MustCompile("(?m)^\\| .*`.*$")
	call  = regexp.MustCompile("`([^`]+)`")
)

// What a page for newcomers shows, pasted in order into a directory beside the checkout, builds,
// passes its own test and prints what the page says.
func TestPages(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: what the pages show downloads modules")
	}

	for _, name := range []string{"signin.md", "tokens.md"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // modules are waited for

			dir := beside(t)
			free := strings.NewReplacer("localhost:8080", address(t), "localhost:9464", address(t))
			for _, b := range block.FindAllStringSubmatch(free.Replace(page(t, name)), -1) {
				switch kind, text := b[1], b[2]; kind {
				case "go": // the first line names the file
					create(t, dir, strings.Fields(text)[1], text)
				case "sh":
					bash(t, dir, text)
				case "console":
					session(t, dir, text)
				}
			}
		})
	}
}

// Each call in the tables of tokens.md, the old and the new, compiles and runs.
func TestNames(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: what the pages show downloads modules")
	}

	text := page(t, "tokens.md")
	build := regexp.MustCompile("(?ms)^```sh\n(.*?)^```").FindStringSubmatch(text)[1]
	for _, s := range strings.Split(text, "\n## ")[1:] {
		pkg, text, _ := strings.Cut(s, "\n")
		t.Run(pkg, func(t *testing.T) {
			t.Parallel()

			calls := ""
			for _, r := range row.FindAllString(text, -1) {
				for _, c := range call.FindAllStringSubmatch(r, -1) {
					calls += "\tuse(" + c[1] + ")\n"
				}
			}

			dir := beside(t)
			name := map[bool]string{true: "uuid", false: "rand"}[strings.HasSuffix(pkg, "uuid")]
			create(t, dir, "main.go", `package main

import (
	"database/sql"
	"encoding/base64"
	"math/big"
	"time"

	"fount"
	`+name+` "`+pkg+`"
)

func use(...any) {}

func main() {
	use(sql.ErrNoRows, base64.StdEncoding, time.Second)
	b, n, s, u := make([]byte, 16), big.NewInt(6), "919108f7-52d1-4320-9bac-f847db4148a8", fount.NewUUID()
	use(b, n, s, u)
`+calls+"}\n")
			bash(t, dir, build)
		})
	}
}

// page returns the text of a page.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// beside returns a new directory with the checkout at ../fount.
func beside(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	above := t.TempDir()
	if err := os.Symlink(root, filepath.Join(above, "fount")); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(above, "service")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func create(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// address returns one of loopback that nobody listens at.
func address(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// bash runs lines as somebody does who pastes them, and returns what they print.
func bash(t *testing.T, dir, lines string) string {
	t.Helper()
	var failed strings.Builder
	cmd := exec.Command("bash", "-emc", "trap 'kill $(jobs -p) 2>/dev/null || :' EXIT\n"+lines)
	cmd.Dir, cmd.Stderr = dir, &failed
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s\n%v\n%s%s", lines, err, out, &failed)
	}
	return string(out)
}

// session runs the lines behind a prompt; the others are what they print.
func session(t *testing.T, dir, text string) {
	t.Helper()
	commands, want := "", ""
	for line := range strings.Lines(text) {
		if typed, ok := strings.CutPrefix(line, "$ "); ok {
			commands += typed
		} else {
			want += line
		}
	}
	if got := bash(t, dir, commands); got != want {
		t.Errorf("%s\nprints %s\nwant %s", commands, got, want)
	}
}
