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

// commands are all, those of commands too, but for hidden ones.
func commands() (all []*cobra.Command) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Hidden {
			return
		}
		all = append(all, cmd)
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newProgram().root)
	return all
}

// Fount is this test binary: TestMain puts it in PATH.
func TestExamplesWork(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("the examples are written for a Unix shell, and there is none")
	}
	for _, cmd := range commands() {
		dir := t.TempDir()
		if cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		if cmd.Parent() != nil && cmd.Parent().HasParent() {
			continue // what they measure takes long: their scripts run them
		}
		switch cmd.Name() {
		case "doctor", "serve", "mount", "report", "vet", "why", "iostats", "top", "live", "bench":
			continue // their own tests run them: they take seconds, have no end or need packages or a server
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
