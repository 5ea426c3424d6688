// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	block   = regexp.MustCompile("(?ms)^```(sh|bash|console)\n(.*?)^```")
	inline  = regexp.MustCompile("`(fountd? [^`]+)`")
	comment = regexp.MustCompile(`(?m)^(?:#   +|ExecStart=|ExecStop=)(\S*fountd? .*)$`)

	// A command of ours where a shell looks for one, up to the operator that ends it.
	command = regexp.MustCompile(`(?:^|[|;&({]|\bdo) *(?:go run (?:-\S+ )*\./cmd/|[\w./]*/)?(fountd?)((?: +(?:'[^']*'|"[^"]*"|[^\s'"|;&<>(){}#]+))+)`)
)

// Each command of fount and fountd that a page, a comment or a unit shows has the words and flags
// that the programs have: it prints its help.
func TestShownCommands(t *testing.T) {
	bin := t.TempDir()
	output(t, "../cmd", "go", "build", "-o", bin, "./fount", "./fountd")
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))

	tried := map[string]bool{}
	for file := range strings.FieldsSeq(output(t, "..", "git", "ls-files", "*.md", "deploy", ":!*_test.go")) {
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}

		for _, line := range shown(file, string(text)) {
			for _, c := range command.FindAllStringSubmatch(line, -1) {
				asked := c[1] + c[2] + " --help"
				if tried[asked] {
					continue
				}
				tried[asked] = true
				if out, err := exec.Command("sh", "-c", asked).CombinedOutput(); err != nil {
					t.Errorf("%s: %s: %v\n%.300s", file, asked, err, out)
				}
			}
		}
	}
	if len(tried) < 50 {
		t.Errorf("%d commands were found", len(tried))
	}
}

// shown returns the lines of a file that a reader would type, or a unit runs.
func shown(file, text string) (lines []string) {
	for _, b := range block.FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(strings.ReplaceAll(b[2], "\\\n", " ")) {
			line, typed := strings.CutPrefix(line, "$ ")
			if typed || b[1] != "console" {
				lines = append(lines, line)
			}
		}
	}

	other := comment
	if filepath.Ext(file) == ".md" {
		other = inline
	}
	for _, found := range other.FindAllStringSubmatch(text, -1) {
		lines = append(lines, found[1])
	}
	return lines
}
