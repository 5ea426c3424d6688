// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package backoff

// That no delay comes from a buffer: in a build with the tag fount_test the kernel
// can be taken away.

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"fount/internal/seam"
)

const childVariable = "BACKOFF_TEST_CHILD"

func TestEachDelayAsksTheKernel(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		d := Policy{}.Delays()
		d.Next()
		seam.SetRoute(seam.RouteFail)
		d.Next() // stops the process
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Skip("this test runs itself in a child process: ", err)
	}
	cmd := exec.Command(exe, "-test.run=^TestEachDelayAsksTheKernel$")
	cmd.Env = append(os.Environ(), childVariable+"=1")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Skip("no child process: ", err)
	}
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(string(out), "a test took the kernel away") {
		t.Errorf("a process without the kernel drew a delay: exit status %d, output %q; want 2, and why", code, out)
	}
}
