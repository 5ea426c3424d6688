// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// Raw samples are refused on a terminal, text is not.
func TestEntropySampleOnTerminal(t *testing.T) {
	const refusal = "fount entropy sample: raw samples would garble the terminal; use --text, a pipe or a file"
	for args, want := range map[string]struct {
		status int
		screen string
	}{
		"entropy sample jitter 5":        {2, "^" + refusal + "\r\n$"},
		"entropy sample jitter 3 --text": {0, `^([0-9]{1,3}\r\n){3}$`},
	} {
		screen, tty := openTerminal(t, 80)
		cmd := exec.Command("fount", strings.Fields(args)...)
		cmd.Stdout, cmd.Stderr = tty, tty
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		tty.Close()
		got := readScreen(screen, nil)
		_ = cmd.Wait()
		status := cmd.ProcessState.ExitCode()
		if status != want.status || !regexp.MustCompile(want.screen).MatchString(got) {
			t.Errorf("%s: status %d, the terminal shows %q, want %d, %q", args, status, got, want.status, want.screen)
		}
	}
}
