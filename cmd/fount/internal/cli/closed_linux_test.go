// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of every command that prints, where it can't: a closed standard output, a full one, and a pipe without a reader.

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// printing are command lines that print soon.
var printing = []string{
	"", "--version", "help rand", "rand --help", "rand", "rand --hex", "rand 1M", "rand --forever", "token", "uuid -n 100000",
	"completion bash", "seed save seed", "password hash --policy bcrypt", "password inspect " + storedHash,
	"password inspect --json " + storedHash, "password survey --measure 0s store", "password wrap store --policy argon2id,m=64,t=1",
	"load password -c 1 --cost 4 -d 10ms",
}

// storedHash is one of the password that the tests give.
const storedHash = "$2b$04$tOcekd0oLM4gUMo3e2R3qucd4U2rnciwaSyQn30ACOnolD6eRoinu"

// What can't be written is a failure of every command, help too: a script that keeps an empty file believes it has a
// secret. A reader that went away ends a command as a signal would.
func TestOutputFails(t *testing.T) {
	t.Parallel()
	if _, known := sameFile(os.Getpid(), 0, os.Getpid(), 0); !known {
		t.Skip("this kernel has no kcmp(2), which tells a closed standard output from /dev/null")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "store"), []byte(storedHash), 0o600); err != nil { // for password survey and wrap
		t.Fatal(err)
	}
	for _, line := range printing {
		for output, want := range map[string]struct {
			status  int
			message string
		}{
			">&-":          {statusFailed, "standard output is closed; use >/dev/null if nothing is to be kept"},
			">/dev/full":   {statusFailed, "no space left on device"},
			">closed pipe": {statusReaderGone, ""},
		} {
			status, said := runInto(t, dir, line, output)
			if status != want.status || strings.Count(said, "\n") > 1 || (said == "") != (want.message == "") || !strings.Contains(said, want.message) {
				t.Errorf("fount %s %s: status %d, stderr %q; want %d and %q", line, output, status, said, want.status, want.message)
			}
		}
	}
}

// What fount password verify prints is its status again: it does without a standard output, but not with a full one.
func TestVerifyOutputFails(t *testing.T) {
	for output, want := range map[string]int{">&-": statusOK, ">/dev/full": statusUsage, ">closed pipe": statusReaderGone} {
		if status, said := runInto(t, t.TempDir(), "password verify "+storedHash, output); status != want {
			t.Errorf("%s: status %d, stderr %q, want %d", output, status, said, want)
		}
	}
}

// runInto runs fount in a shell, into that output, and returns its status and what it said on standard error.
func runInto(t *testing.T, dir, line, output string) (status int, said string) {
	t.Helper()
	script := "exec fount " + strings.ReplaceAll(line, "$", `\$`)
	if output != ">closed pipe" {
		script += " " + output
	}
	var stderr bytes.Buffer
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, strings.NewReader("password"), &stderr
	if output == ">closed pipe" {
		cmd.Stdout = closedPipe(t)
	}
	_ = cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatalf("fount %s did not run", line)
	}
	return cmd.ProcessState.ExitCode(), stderr.String()
}

// The control of isClosed: what looks like the runtime's /dev/null and is somebody's who wants nothing kept.
func TestOutputDiscarded(t *testing.T) {
	both, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer both.Close()
	for name, files := range map[string][3]*os.File{
		"the parent's": {nil, both, nil}, // as of Python's subprocess.DEVNULL
		"a daemon's":   {both, both, both},
	} {
		cmd := exec.Command("fount", "token")
		if files[0] != nil {
			cmd.Stdin = files[0]
		}
		cmd.Stdout = files[1]
		if files[2] != nil {
			cmd.Stderr = files[2]
		}
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v, want success", name, err)
		}
	}
	if _, known := sameFile(os.Getpid(), 0, os.Getpid(), 0); !known {
		return
	}
	if same, _ := sameFile(os.Getpid(), int(both.Fd()), os.Getpid(), int(both.Fd())); !same {
		t.Error("a descriptor is not the same as itself")
	}
	dup, err := unix.Dup(int(both.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(dup)
	if same, _ := sameFile(os.Getpid(), int(both.Fd()), os.Getpid(), dup); !same {
		t.Error("a copy of a descriptor is not the same")
	}
}
