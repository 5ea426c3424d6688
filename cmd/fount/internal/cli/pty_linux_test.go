// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests on a terminal: raw bytes are refused.

package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal returns both ends of a terminal of that many columns: what the user sees, and what the
// program gets (pty(7)).
func openTerminal(t *testing.T, columns uint16) (screen, tty *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals can be made here: %v", err)
	}
	t.Cleanup(func() { screen.Close() })
	fd := int(screen.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("the other end of a terminal can't be opened here: %v", err)
	}
	t.Cleanup(func() { tty.Close() })
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}); err != nil {
		t.Fatal(err)
	}
	return screen, tty
}

// readScreen returns what is written on the screen until until matches all of it so far, or else until
// no program has the terminal open.
func readScreen(screen io.Reader, until *regexp.Regexp) string {
	var text []byte
	buf := make([]byte, 4096)
	for until == nil || !until.Match(text) {
		n, err := screen.Read(buf)
		text = append(text, buf[:n]...)
		if err != nil { // EIO
			break
		}
	}
	return string(text)
}

func TestRawBytesOnTerminal(t *testing.T) {
	const refusal = "fount rand: raw bytes would garble the terminal; use --hex, --base64, -o FILE or a pipe\r\n"
	for _, test := range []struct {
		args   string
		status int
		want   string // a pattern
	}{
		{"rand", 2, "^" + refusal + "$"},
		{"rand --forever", 2, "^" + refusal + "$"},
		{"rand -o TTY", 2, "^" + refusal + "$"},
		{"rand -o -", 2, "^" + refusal + "$"},
		{"rand --hex", 0, "^[0-9a-f]{64}\r\n$"},
		{"rand 3 --base64 -o TTY", 0, "^[A-Za-z0-9+/]{4}\r\n$"},
	} {
		screen, tty := openTerminal(t, 80)
		cmd := exec.Command("fount", strings.Fields(strings.ReplaceAll(test.args, "TTY", tty.Name()))...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		tty.Close()
		got := readScreen(screen, nil)
		_ = cmd.Wait()
		if !regexp.MustCompile(test.want).MatchString(got) {
			t.Errorf("%s: the terminal shows %q, want a match of %q", test.args, got, test.want)
		}
		if status := cmd.ProcessState.ExitCode(); status != test.status {
			t.Errorf("%s: exit status %d, want %d", test.args, status, test.status)
		}
	}
}
