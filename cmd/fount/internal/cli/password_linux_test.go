// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the prompt on a terminal: it does not show what is typed.

package cli

import (
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestPrompt(t *testing.T) {
	for _, test := range []struct {
		typed  []string // after each prompt
		want   string   // a pattern of the whole screen
		status int
	}{
		{[]string{"correct horse\n", "correct horse\n"}, `^Password: \r\nAgain: \r\nfount password hash: warning: .*\r\n\$2b\$04\$\S{53}\r\n$`, statusOK},
		{[]string{"correct horse\n", "incorrect horse\n"},
			`^Password: \r\nAgain: \r\nfount password hash: the two passwords differ\r\n$`, statusFailed},
	} {
		screen, tty := openTerminal(t, 80)
		cmd := exec.Command("fount", "password", "hash", "--policy", "bcrypt,cost=4")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		tty.Close()
		shown := ""
		for i, prompt := range []string{`Password: $`, `Again: $`} {
			shown += readScreen(screen, regexp.MustCompile(prompt))
			awaitSilence(t, screen)
			if _, err := io.WriteString(screen, test.typed[i]); err != nil {
				t.Fatal(err)
			}
		}
		shown += readScreen(screen, nil)
		_ = cmd.Wait()
		if !regexp.MustCompile(test.want).MatchString(shown) || strings.Contains(shown, "horse") {
			t.Errorf("the terminal shows %q, want a match of %q", shown, test.want)
		}
		if got := cmd.ProcessState.ExitCode(); got != test.status {
			t.Errorf("exit status %d, want %d", got, test.status)
		}
	}
}

// awaitSilence returns when the terminal no longer shows what is typed.
func awaitSilence(t *testing.T, screen *os.File) {
	t.Helper()
	for {
		state, err := unix.IoctlGetTermios(int(screen.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		if state.Lflag&unix.ECHO == 0 {
			return
		}
		runtime.Gosched()
	}
}
