// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount bench files as a process: an interrupt, and the JSON.

//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"fount/lab/files"
)

// Interrupted while its processes wait at the device: it ends with status 130 and leaves neither files nor processes.
func TestBenchFilesInterrupted(t *testing.T) {
	notified := make(chan os.Signal, 1)
	signal.Notify(notified, os.Interrupt) // see startForever
	defer signal.Stop(notified)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		dir := t.TempDir()
		var stderr bytes.Buffer
		cmd := exec.Command("fount", "bench", "files", "--bench", files.Emulated, "--procs", "2", "--deadline", "1h")
		cmd.Env = append(os.Environ(), "TMPDIR="+dir)
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line == "" {
			t.Fatalf("no title: %v, %s", err, stderr.String())
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != 130 {
			t.Errorf("%v: exit status %d, want 130", sig, got)
		}
		if want := "fount bench files: interrupted; its processes are stopped\n"; stderr.String() != want {
			t.Errorf("%v: stderr %q, want %q", sig, stderr.String(), want)
		}
		if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) > 0 {
			t.Errorf("%v: it left %q (%v)", sig, left, err)
		}
		if left := processesWith(dir); len(left) > 0 {
			t.Errorf("%v: it left processes %q", sig, left)
		}
	}
}

// processesWith are those with that word in their environment, where proc(5) tells.
func processesWith(word string) (found []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		if env, err := os.ReadFile(file); err == nil && bytes.Contains(env, []byte(word)) {
			found = append(found, file)
		}
	}
	return found
}
