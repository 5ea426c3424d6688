// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package uniqueness

// Tests of what a process finds that has run out of descriptors or memory, and gets them back.

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fount/internal/test/require"

	"golang.org/x/sys/unix"
)

// childLimit names the environment variable that makes the test binary a child with that many free descriptors.
const childLimit = "UNIQUENESS_TEST_FREE_DESCRIPTORS"

// TestNoDescriptors: a child whose real limit leaves it 0 to 5 descriptors draws its first word, and gets the limit back.
func TestNoDescriptors(t *testing.T) {
	if os.Getenv(childLimit) != "" {
		withoutDescriptors(t)
		return
	}
	forget()
	Check()
	usual := Status()
	forget()
	for free := range 6 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestNoDescriptors$", "-test.v")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", childLimit, free))
		out, err := cmd.CombinedOutput()
		require.Started(t, err)
		if err != nil {
			t.Fatalf("%d free: %v\n%s", free, err, out)
		}
		var reports [2]Report
		_, line, _ := strings.Cut(string(out), "reports: ")
		if err := json.NewDecoder(strings.NewReader(line)).Decode(&reports); err != nil {
			t.Fatalf("%d free: %v\n%s", free, err, out)
		}
		during, after := reports[0], reports[1]
		short := strings.Contains(during.Why, "too many open files")
		if free == 0 && !short || short && during.Mode != "window" || !short && during.Mode != usual.Mode {
			t.Errorf("%d free: mode %q, because %q", free, during.Mode, during.Why)
		}
		if after.Mode != usual.Mode {
			t.Errorf("%d free, and then enough: mode %q, because %q; want %q", free, after.Mode, after.Why, usual.Mode)
		}
	}
}

// withoutDescriptors is the child's part.
func withoutDescriptors(t *testing.T) {
	var free int
	fmt.Sscan(os.Getenv(childLimit), &free)
	next, err := unix.Dup(0) // the lowest that is free
	if err != nil {
		t.Fatal(err)
	}
	unix.Close(next)
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(next + free), Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	forget()
	Check()
	during := Status()
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	now = func() time.Duration { return time.Since(began) + pause }
	Check()
	b, err := json.Marshal([]Report{during, Status()})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("reports: %s\n", b)
}
