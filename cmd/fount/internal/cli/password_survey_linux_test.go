// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount password survey on a terminal and under an interrupt.

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Progress is one line, which leaves no trace, and shows no hash.
func TestSurveyProgress(t *testing.T) {
	screen, tty := openTerminal(t, 80)
	dir := t.TempDir()
	store := filepath.Join(dir, "store")
	if err := os.WriteFile(store, []byte(strings.Repeat("ada:"+storedHash+"\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", "fount password survey "+store+" >"+filepath.Join(dir, "out"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	shown := readScreen(screen, nil)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(shown, "\rtiming 1 of 1: bcrypt,cost=4") || strings.Contains(shown, "\n") || strings.Contains(shown, storedHash[10:]) {
		t.Errorf("the terminal shows %q, want one line of progress", shown)
	}
	if last := shown[strings.LastIndex(strings.TrimSuffix(shown, "\r"), "\r"):]; strings.Trim(last, " \r") != "" {
		t.Errorf("the line is not taken away: %q", shown)
	}
}

// Interrupted while it waits for the rest of the store: it ends at once, and prints nothing.
func TestSurveyInterrupted(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	notified := make(chan os.Signal, 1)
	signal.Notify(notified, os.Interrupt) // see startForever
	defer signal.Stop(notified)
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("fount", "password", "survey", "-")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r, &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r.Close()
	for range 10_000 { // more than a pipe holds: it reads
		if _, err := w.WriteString("ada:" + storedHash + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if state := cmd.ProcessState.Sys().(syscall.WaitStatus); !state.Signaled() || state.Signal() != syscall.SIGINT || stdout.Len()+stderr.Len() > 0 {
		t.Errorf("%v, stdout %q, stderr %q; want that it died of the interrupt, and nothing", cmd.ProcessState, stdout.String(), stderr.String())
	}
}
