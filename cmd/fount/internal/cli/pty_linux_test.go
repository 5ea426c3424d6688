// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests on a terminal: raw bytes are refused, and progress is one line that leaves no trace.

package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
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
		{"rand --out TTY", 2, "^" + refusal + "$"},
		{"rand --out -", 2, "^" + refusal + "$"},
		{"rand --hex", 0, "^[0-9a-f]{64}\r\n$"},
		{"rand 3 --base64 --out TTY", 0, "^[A-Za-z0-9+/]{4}\r\n$"},
		{"rand 300M --out /dev/full", 1, "no space left on device; 0 of 314572800 bytes were written\r\n$"},
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

func TestProgressOnTerminal(t *testing.T) {
	for _, test := range []struct {
		columns uint16
		args    string
		line    string // a pattern of the whole line
	}{
		{80, "rand --forever --out /dev/null", `\r[0-9.]+ ([KMGT]i)?B  [0-9.]+ ([KMGT]i)?B/s *`},
		{80, "rand 8000000G --out /dev/null", `\r[0-9.]+ ([KMGT]i)?B of 7\.63 PiB   0 %  [0-9.]+ ([KMGT]i)?B/s(  [0-9a-z ]+ left)? *`},
		{40, "rand 8000000G --out /dev/null", `\r[0-9.]+ ([KMGT]i)?B of 7\.63 PiB   0 %[^\r]+`}, // cut: a wrapped line can't be rewritten
	} {
		screen, tty := openTerminal(t, test.columns)
		notified := make(chan os.Signal, 1)
		signal.Notify(notified, os.Interrupt) // see startForever
		cmd := exec.Command("fount", strings.Fields(test.args)...)
		cmd.Stderr = tty
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		signal.Stop(notified)
		tty.Close()

		twoLines := readScreen(screen, regexp.MustCompile("^("+test.line+"){2,}$"))
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		text := twoLines + readScreen(screen, nil)
		_ = cmd.Wait()
		want := "^(" + test.line + `)+\r +\rfount rand: interrupted; [0-9]+( of [0-9]+)? bytes were written\r\n$`
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s: the terminal shows %q, want a match of %s", test.args, text, want)
		}
		for line := range strings.SplitSeq(text, "\r") {
			if !strings.HasPrefix(line, "fount") && len(line) >= int(test.columns) {
				t.Errorf("%s: %q fills the %d columns", test.args, line, test.columns)
			}
		}
	}
}
