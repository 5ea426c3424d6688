// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the help: every command has examples, and they work.

package cli

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func commands() []*cobra.Command {
	root := newProgram().root
	return append([]*cobra.Command{root}, root.Commands()...)
}

func TestHelpFitsTheScreen(t *testing.T) {
	for _, cmd := range commands() {
		text := commandHelp(cmd)
		if !cmd.HasParent() {
			text = rootHelp(cmd)
		}
		if n := strings.Count(text, "\n"); n > 40 {
			t.Errorf("the help of %s has %d lines, want at most 40", cmd.CommandPath(), n)
		}
		for line := range strings.Lines(text) {
			if n := len(strings.TrimSuffix(line, "\n")); n > 110 {
				t.Errorf("the help of %s has a line of %d columns, want at most 110: %q", cmd.CommandPath(), n, line)
			}
		}
	}
}

// Fount is this test binary: TestMain puts it in PATH.
func TestExamplesWork(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("the examples are written for a Unix shell, and there is none")
	}
	dir := t.TempDir()
	for _, cmd := range commands() {
		if cmd.Example == "" && !cmd.Hidden {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		switch cmd.Name() {
		case "doctor", "serve", "mount", "report":
			continue // their own tests run them: one takes seconds, the other has no end
		}
		for line := range strings.Lines(cmd.Example) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "   ") // what follows is a remark
			shell := exec.Command(sh, "-c", "set -e; "+line)
			shell.Dir = dir
			if out, err := shell.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
		}
	}
}
