// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount password wrap under interrupts.

package cli

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"
)

// Interrupted in the middle: what is written are whole lines, and the status says that there are more.
func TestWrapInterrupted(t *testing.T) {
	cmd, out, stderr := startWrapping(t)
	lines := bufio.NewReader(out)
	text, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	text += string(rest)
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "ada:"+wrapMark) || !strings.HasSuffix(line, "$md5$$"+strings.Repeat("0", 32)+"\n") {
			t.Errorf("wrote %q", line)
		}
	}
	if cmd.ProcessState.ExitCode() != statusInterrupted || !strings.HasSuffix(stderr.String(), "\nfount password wrap: interrupted; what is written are whole lines\n") {
		t.Errorf("%v, %q", cmd.ProcessState, stderr)
	}
}

// startWrapping starts fount password wrap of a store without end.
func startWrapping(t *testing.T) (cmd *exec.Cmd, out *os.File, stderr *bytes.Buffer) {
	t.Helper()
	out, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	notified := make(chan os.Signal, 1)
	signal.Notify(notified, os.Interrupt) // see startForever
	defer signal.Stop(notified)
	stderr = new(bytes.Buffer)
	cmd = exec.Command("fount", "password", "wrap", "--policy", "argon2id,m=8,t=1", "-")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = readerFunc(func(p []byte) (int, error) {
		return copy(p, "ada:md5$$0123456789abcdef0123456789abcdef\n"), nil
	}), w, stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it may have ended
	w.Close()
	return cmd, out, stderr
}
