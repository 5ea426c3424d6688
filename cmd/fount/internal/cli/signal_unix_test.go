// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of pipes without a reader and of interrupts.

//go:build unix

package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fount/cmd/internal/lab"
	"fount/internal/test/require"
)

// closedPipe returns the writing end of a pipe whose other end is closed.
func closedPipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	r.Close()
	t.Cleanup(func() { w.Close() })
	return w
}

// startForever runs fount rand --forever through sh, after that shell code, and returns it with its
// output and standard error. It has written its first byte: it is running and can't end by itself.
func startForever(t *testing.T, shell, args string) (cmd *exec.Cmd, out io.ReadCloser, stderr *bytes.Buffer) {
	t.Helper()
	// What is notified here has its default action in the child, even if these tests run where the
	// interrupt is ignored, as in the background of a script.
	notified := make(chan os.Signal, 1)
	signal.Notify(notified, os.Interrupt)
	defer signal.Stop(notified)

	stderr = new(bytes.Buffer)
	cmd = exec.Command("sh", "-c", shell+"exec fount rand --forever "+args)
	cmd.Stderr = stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { out.Close() })

	if file, ok := strings.CutPrefix(args, "-o "); ok {
		for {
			if info, err := os.Stat(file); err == nil && info.Size() > 0 {
				return cmd, out, stderr
			}
			time.Sleep(time.Millisecond)
		}
	}
	_, err = io.ReadFull(out, make([]byte, 1))
	require.NoError(t, err)
	return cmd, out, stderr
}

// Interrupted, also while a write blocks: ends at once with status 130.
func TestInterrupt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	for args, want := range map[string]string{
		"":           `^$`, // the reader knows what it got
		"-o " + file: `^fount rand: interrupted; [0-9]+ bytes were written\n$`,
	} {
		cmd, _, stderr := startForever(t, "", args)
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != 130 {
			t.Errorf("%q: exit status %d, want 130", args, got)
		}
		if got := stderr.String(); !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("%q: stderr %q, want a match of %s", args, got, want)
		}
	}
}

// An interrupt that is ignored at the start, as in a shell's background job, stays ignored.
func TestIgnoredInterrupt(t *testing.T) {
	cmd, out, stderr := startForever(t, "trap '' INT; ", "")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	if n, err := io.CopyN(io.Discard, out, 10<<20); err != nil { // more than any pipe holds
		t.Fatalf("%d bytes after the interrupt: %v", n, err)
	}
	out.Close()
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != statusReaderGone || stderr.Len() > 0 {
		t.Fatalf("status %d, stderr %q, want 141 and none", got, stderr.String())
	}
}

// After an interrupt a report says what is missing.
func TestInterruptedReport(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	cmd := newReport()
	cmd.SetContext(ctx)

	results, err := measureStudies(cmd, studies, lab.Options{Quick: true}, func(lab.Result) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "nothing measured of nonce, source, ") {
		t.Error(err)
	}
	for i, r := range results {
		if r.Study != studies[i].Name || len(r.Notes) == 0 {
			t.Errorf("%+v", r)
		}
	}
}
