// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

// What a terminal shows, and what a device gets: a terminal, whose other end a test has.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"fount/internal/test/require"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// openTerminal returns both ends of a terminal of that many columns: what the user sees, and what
// the program gets (pty(7)).
func openTerminal(t *testing.T, columns uint16) (screen, tty *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals can be made here: %v", err)
	}
	t.Cleanup(func() { screen.Close() })

	fd := int(screen.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("the other end of a terminal can't be opened here: %v", err)
	}
	t.Cleanup(func() { tty.Close() })
	require.NoError(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
	return screen, tty
}

// readScreen returns what is written on the screen until until matches all of it so far, or else
// until no program has the terminal open.
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

// startOn starts a command on a terminal, which is then closed here.
func startOn(t *testing.T, tty *os.File, cmd *exec.Cmd) {
	t.Helper()
	cmd.Stdin = tty
	cmd.Stdout = tty
	cmd.Stderr = tty
	require.NoError(t, cmd.Start())
	tty.Close()
}

// ended wants a command on a terminal to end with a status, and the screen to have shown a pattern.
func ended(t *testing.T, cmd *exec.Cmd, status int, shown, pattern string) {
	t.Helper()
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != status {
		t.Errorf("exit status %d, want %d", got, status)
	}
	if !regexp.MustCompile(pattern).MatchString(shown) {
		t.Errorf("the terminal shows %q, want a match of %q", shown, pattern)
	}
}

func TestRawBytesOnTerminal(t *testing.T) {
	const refusal = "^fount rand: raw bytes would garble the terminal; use --hex, --base64, -o FILE or a pipe\r\n$"
	for _, test := range []struct {
		args   string
		status int
		shown  string // a pattern
	}{
		{args: "rand", status: statusUsage, shown: refusal},
		{args: "rand --forever", status: statusUsage, shown: refusal},
		{args: "rand -o TTY", status: statusUsage, shown: refusal},
		{args: "rand -o -", status: statusUsage, shown: refusal},
		{args: "rand --hex", shown: "^[0-9a-f]{64}\r\n$"},
		{args: "rand 3 --base64 -o TTY", shown: "^[A-Za-z0-9+/]{4}\r\n$"},
	} {
		t.Run(test.args, func(t *testing.T) {
			screen, tty := openTerminal(t, 80)
			cmd := exec.Command("fount", strings.Fields(strings.ReplaceAll(test.args, "TTY", tty.Name()))...)
			startOn(t, tty, cmd)
			ended(t, cmd, test.status, readScreen(screen, nil), test.shown)
		})
	}
}

func TestPrompt(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.WriteFile(store, []byte("ada:{SHA}L55TUjtiq8FBorTWAZ0jy6g129A=\n"), 0o600))
	const hash = "hash --policy bcrypt,cost=4"
	wrap := "wrap --policy argon2id,m=64,t=1 " + store

	// A prompt is the end of what is shown, and what is typed then.
	type prompt struct{ pattern, typed string }
	const user = `\(Enter for none\): $`
	right := prompt{pattern: `Password: $`, typed: "correct horse\n"}
	wrong := prompt{pattern: `Password: $`, typed: "incorrect horse\n"}

	for name, test := range map[string]struct {
		args    string
		prompts []prompt
		shown   string // a pattern of the whole screen
		status  int
	}{
		"hash": {
			args: hash, prompts: []prompt{right, {`Again: $`, right.typed}},
			shown: `^Password: \r\nAgain: \r\nfount password hash: warning: .*\r\n\$2b\$04\$\S{53}\r\n$`,
		},
		"hash, another again": {
			args: hash, prompts: []prompt{right, {`Again: $`, wrong.typed}}, status: statusFailed,
			shown: `^Password: \r\nAgain: \r\nfount password hash: the two passwords differ\r\n$`,
		},
		"wrap": {
			args: wrap, prompts: []prompt{{user, "ada\n"}, right},
			shown: `^User, .*: ada\r\nPassword: \r\nada:\$fount-wrap\$`,
		},
		"wrap, no user": {
			args: wrap, prompts: []prompt{{user, "\n"}}, status: statusFailed,
			shown: `(?s)^User, [^\r]*: \r\n0 wrapped, .*; nothing is written\r\n$`,
		},
		"wrap, wrong password": {
			args: wrap, prompts: []prompt{{user, "ada\n"}, wrong}, status: statusFailed,
			shown: `^User, .*: ada\r\nPassword: \r\nfount password wrap: the password is not that of line 1, .*\r\n$`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			screen, tty := openTerminal(t, 80)
			cmd := exec.Command("fount", strings.Fields("password "+test.args)...)
			startOn(t, tty, cmd)

			shown := ""
			for _, p := range test.prompts {
				shown += readScreen(screen, regexp.MustCompile(p.pattern))
				if p.pattern != user {
					awaitSilence(t, screen)
				}
				_, err := io.WriteString(screen, p.typed)
				require.NoError(t, err)
			}

			shown += readScreen(screen, nil)
			ended(t, cmd, test.status, shown, test.shown)
			if strings.Contains(shown, "horse") {
				t.Errorf("the terminal shows a password: %q", shown)
			}
		})
	}
}

// awaitSilence returns when the terminal no longer shows what is typed.
func awaitSilence(t *testing.T, screen *os.File) {
	t.Helper()
	for termios(t, screen).Lflag&unix.ECHO != 0 {
		runtime.Gosched()
	}
}

// The kernel's device gets 32 bytes, and each time others.
func TestKernelGets32Bytes(t *testing.T) {
	screen, tty := openTerminal(t, 80)
	_, err := term.MakeRaw(int(tty.Fd()))
	require.NoError(t, err)
	const times = 3
	for range times {
		require.NoError(t, tellKernel(tty.Name()))
	}
	tty.Close()
	all, err := io.ReadAll(screen)
	if err != nil && !errors.Is(err, unix.EIO) { // nobody has the other end open
		t.Fatal(err)
	}

	if len(all) != 32*times {
		t.Fatalf("%d bytes in %d times, want 32 each", len(all), times)
	}
	seen := map[[32]byte]bool{{}: true}
	for i := range times {
		b := [32]byte(all[32*i:])
		if seen[b] {
			t.Errorf("the %d. are zeros or were given before: %x", i+1, b)
		}
		seen[b] = true
	}
}

// What is no device gets nothing: others may be able to read it. Nor is one made.
func TestKernelIsADevice(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "urandom")
	if err := tellKernel(path); err == nil {
		t.Error("a device that is not there: no error")
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("it is there now")
	}
	require.NoError(t, os.WriteFile(path, []byte("before"), 0o600))
	if err := tellKernel(path); err == nil || err.Error() != path+" is not a device" {
		t.Errorf("a file: %v", err)
	}
	if b, err := os.ReadFile(path); string(b) != "before" || err != nil {
		t.Errorf("the file is %q, %v", b, err)
	}
}

// What -o replaces keeps its attributes: without its access list, the mode gives the group what the
// list does not.
func TestWrapKeepsAttributes(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	require.NoError(t, os.WriteFile(store, []byte("md5$$0123456789abcdef0123456789abcdef\n"), 0o600))
	acl := []byte{2, 0, 0, 0}
	for _, e := range [][3]byte{{1, 6, 0xff}, {2, 6, 1}, {4, 0, 0xff}, {16, 6, 0xff}, {32, 0, 0xff}} { // posix_acl_xattr.h
		acl = append(acl, e[0], 0, e[1], 0, e[2], 0, 0, 0)
		if e[2] == 0xff {
			copy(acl[len(acl)-3:], "\xff\xff\xff") // of no user
		}
	}

	const name = "system.posix_acl_access"
	if err := unix.Setxattr(store, name, acl, 0); err != nil {
		t.Skip(err)
	}
	if out, err := exec.Command("fount", "password", "wrap", store, "--form", "django", "-o", store, "--policy", "argon2id,m=8,t=1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}

	got := make([]byte, 1024)
	if n, err := unix.Getxattr(store, name, got); err != nil || string(got[:n]) != string(acl) {
		t.Errorf("its access list is %x, %v; want %x", got[:max(0, n)], err, acl)
	}
}
