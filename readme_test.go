// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The README's way to use the library from another module: its program and its commands are taken
// from the text and run as they stand.

package fount_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readmeUse is the section that is run. Its blocks are, by language: go, the program; sh, the
// commands, one a line; text, what the program prints.
const readmeUse = "## Use it from another module"

// readmeShape is what the program prints. The values are random, so only their shape is compared.
var readmeShape = regexp.MustCompile(`^sealed  [0-9a-f]{84}
token   [0-9A-Za-z_-]{22}
id      [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}
die     [1-6]
$`)

func TestReadmeUse(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("%v: this test runs the go command", err)
	}
	checkout, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(readme), readmeUse+"\n")
	if !found {
		t.Fatalf("README.md has no section %q", readmeUse)
	}
	section, _, _ = strings.Cut(section, "\n## ")

	dir := filepath.Join(t.TempDir(), "hello")
	readmeWrite(t, dir, "main.go", readmeBlock(t, section, "go"))
	// The sums of the requirements are known here: with them nothing is asked of a checksum
	// database, and the test runs without a network.
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	readmeWrite(t, dir, "go.sum", string(sums))

	var out string
	for line := range strings.Lines(readmeBlock(t, section, "sh")) {
		args := strings.Fields(line)
		if args[0] == "cd" {
			continue // dir is where the README's reader has gone
		}
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "../fount", checkout)
		}
		out = readmeRun(t, dir, args)
	}
	sample := readmeBlock(t, section, "text")
	if !readmeShape.MatchString(sample) {
		t.Errorf("README.md says that the program prints\n%swhich does not match\n%s", sample, readmeShape)
	}
	if !readmeShape.MatchString(out) {
		t.Errorf("the program prints\n%swhich does not match\n%s", out, readmeShape)
	}
	if out == sample {
		t.Errorf("the program prints the very values of README.md, so they are not random:\n%s", out)
	}
}

// readmeBlock returns the content of the one fenced block of a language in a section.
func readmeBlock(t *testing.T, section, language string) string {
	t.Helper()
	parts := strings.Split(section, "```"+language+"\n")
	if len(parts) != 2 {
		t.Fatalf("README.md, %q: %d blocks of %s; want 1", readmeUse, len(parts)-1, language)
	}
	content, _, found := strings.Cut(parts[1], "```")
	if !found || content == "" {
		t.Fatalf("README.md, %q: the block of %s is empty or has no end", readmeUse, language)
	}
	return content
}

func readmeWrite(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// readmeRun runs a command for the host, whatever this test was built for, and returns what it prints.
func readmeRun(t *testing.T, dir string, args []string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOOS=", "GOARCH=")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}
