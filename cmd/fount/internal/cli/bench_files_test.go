// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of fount bench files as a process: an interrupt, and the JSON.

//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"fount/internal/test/require"
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
		cmd := exec.Command("fount", "bench", "files", "--bench", files.Emulated, "--procs", "2", "--time", "1h")
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

func TestBenchFilesJSON(t *testing.T) {
	args := []string{"bench", "files", "--json", "--procs", "3", "--count", "2", "--bench", "^(9p|fuse|fount)$"}
	out, err := exec.Command("fount", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var r filesReport
	lines := json.NewDecoder(bytes.NewReader(out))
	lines.DisallowUnknownFields()
	if err := lines.Decode(&r); err != nil || lines.More() {
		t.Fatalf("%v in %s", err, out)
	}
	if r.Facts.OS == "" || r.Procs != 3 || r.Bytes != 128 || r.Count != 2 || len(r.Sources) != 3 || len(r.Published) == 0 {
		t.Errorf("%+v", r)
	}
	for _, s := range r.Sources {
		if s.Name == files.FUSE && s.Skipped != "" && !require.Names("fuse") {
			t.Logf("FUSE is skipped, which FOUNT_REQUIRE=fuse would make an error: %s", s.Skipped)
			continue
		}
		if s.Got != 6 || len(s.Runs) != 2 || s.Delay == nil || s.Delay.Median.MS <= 0 || s.BytesPerS <= 0 {
			t.Errorf("%+v", s)
		}
	}
	if seed := r.Sources[0].StartS; seed < 1.6 {
		t.Errorf("the server started in %v s: 32 bytes of an empty ring take 32 x 4 x 13 ms, 1.66 s", seed)
	}
}
