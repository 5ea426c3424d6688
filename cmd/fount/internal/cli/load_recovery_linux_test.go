// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A study that is ended ends the process of its run, which else would go on hashing.
func TestInterruptEndsRun(t *testing.T) {
	study := exec.Command("fount", "load", "recovery", "--cost", "4", "--runs", "max_out, no jitter")
	var stderr bytes.Buffer
	study.Stderr = &stderr
	if err := study.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = study.Process.Kill() }() // it may have ended
	tasks := fmt.Sprintf("/proc/%d/task", study.Process.Pid)
	run := 0
	for run == 0 {
		time.Sleep(10 * time.Millisecond)
		threads, err := os.ReadDir(tasks)
		if err != nil {
			t.Fatalf("it ended before its run began: %v, %s", err, &stderr)
		}
		for _, thread := range threads {
			children, err := os.ReadFile(tasks + "/" + thread.Name() + "/children")
			if os.IsNotExist(err) && threads[0] == thread {
				t.Skip(err) // a kernel without lists of children
			}
			if word := strings.Fields(string(children)); len(word) > 0 {
				run, _ = strconv.Atoi(word[0])
			}
		}
	}
	if err := study.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = study.Wait()
	if status := study.ProcessState.ExitCode(); status != statusInterrupted || stderr.String() != "fount load recovery: interrupted; its process is stopped\n" {
		t.Errorf("status %d, %q", status, &stderr)
	}
	if err := syscall.Kill(run, 0); err != syscall.ESRCH {
		t.Errorf("its run goes on: %v", err)
	}
}
