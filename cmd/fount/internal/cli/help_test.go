// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the help: the examples work.

package cli

import (
	"os/exec"
	"strings"
	"testing"
)

// Fount is this test binary: TestMain puts it in PATH.
func TestExamplesWork(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("the examples are written for a Unix shell, and there is none")
	}
	root := newProgram().root
	for _, cmd := range append(root.Commands(), root) {
		dir := t.TempDir()
		switch cmd.Name() {
		case "doctor", "serve", "mount", "report", "vet", "why", "iostats", "top", "live", "bench", "load":
			continue // their own tests run them: they take long, or need a server
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
