// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Commands that can't print: to a full disk, and to a pipe without a reader.

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fount/internal/test/require"
)

// printing are command lines that print soon.
var printing = []string{
	"", "version", "help rand", "rand --help", "rand", "rand --hex", "rand 1M", "rand --forever", "token", "uuid -n 100000",
	"completion bash", "seed save seed", "password hash --policy bcrypt", "password inspect " + storedHash,
	"password inspect --json " + storedHash, "password survey store", "password wrap store --form bcrypt --policy argon2id,m=64,t=1",
	"load -c 1 --cost 4 -d 10ms", "password verify " + storedHash, "version --json",
}

// storedHash is one of the password that the tests give.
const storedHash = "$2b$04$tOcekd0oLM4gUMo3e2R3qucd4U2rnciwaSyQn30ACOnolD6eRoinu"

// What can't be written is a failure of every command, help too: a script that keeps an empty file
// believes it has a secret. A reader that went away ends a command as a signal would.
func TestOutputFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "store"), []byte(storedHash), 0o600))
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	for _, line := range printing {
		for output, want := range map[*os.File]struct {
			status  int
			message string
		}{
			full:          {statusFailed, "no space left on device"},
			closedPipe(t): {statusReaderGone, ""},
		} {
			if strings.HasPrefix(line, "password verify") && want.status == statusFailed {
				want.status = statusUsage // neither match nor mismatch
			}
			status, said := runInto(t, dir, line, output)
			if status != want.status || strings.Count(said, "\n") > 1 || (said == "") != (want.message == "") || !strings.Contains(said, want.message) {
				t.Errorf("fount %s >%s: status %d, stderr %q; want %d and %q", line, output.Name(), status, said, want.status, want.message)
			}
		}
	}
}

// runInto runs fount into that output, and returns its status and what it said on standard error.
func runInto(t *testing.T, dir, line string, output *os.File) (status int, said string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("fount", strings.Fields(line)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader("password"), output, &stderr
	_ = cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatalf("fount %s did not run", line)
	}
	return cmd.ProcessState.ExitCode(), stderr.String()
}
