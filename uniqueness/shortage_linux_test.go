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

// descriptors returns how many are open.
func descriptors(t *testing.T) (n int) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc:", err)
	}
	return len(entries)
}

// mappings returns how many pieces of memory are mapped.
func mappings(t *testing.T) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip("no /proc:", err)
	}
	return strings.Count(string(b), "\n")
}

// searchWith runs the search of this machine from the beginning, with faults, and again without them after a pause.
func searchWith(t *testing.T, fail func() error) (during, after Report) {
	t.Helper()
	clock := time.Hour
	now = func() time.Duration { return clock }
	forget()
	t.Cleanup(func() {
		inject = nil
		now = func() time.Duration { return time.Since(began) }
		forget()
	})
	inject = fail
	Check()
	during = Status()
	inject = nil
	clock += pause
	Check()
	return during, Status()
}

// TestShortageAtEachCall: whichever system call of the search fails for want of descriptors or memory, the search says so,
// keeps nothing, and comes to the same word once there is enough again.
func TestShortageAtEachCall(t *testing.T) {
	calls := 0
	_, usual := searchWith(t, func() error { calls++; return nil })
	if calls < 2 { // the two devices
		t.Fatalf("the search makes %d calls that a test can spoil", calls)
	}
	t.Logf("%d calls; usually %q", calls, usual.Mode)
	fds := descriptors(t)
	for n := range calls {
		for _, errno := range []unix.Errno{unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EAGAIN} {
			i := -1
			during, after := searchWith(t, func() error {
				if i++; i >= n {
					return errno
				}
				return nil
			})
			if during.Mode != "window" || during.Held || !strings.Contains(during.Why, errno.Error()) {
				t.Fatalf("call %d fails with %v: mode %q, because %q", n, errno, during.Mode, during.Why)
			}
			if after.Mode != usual.Mode || after.Held != usual.Held || after.Why != usual.Why {
				t.Fatalf("after call %d had failed with %v: mode %q, because %q; want %q", n, errno, after.Mode, after.Why, usual.Mode)
			}
		}
	}
	if now := descriptors(t); now != fds {
		t.Errorf("%d descriptors after %d searches, %d before", now, 4*calls, fds)
	}
}

// TestFinalErrorAtEachCall: the same with an error that is for good. The search ends, and says why.
func TestFinalErrorAtEachCall(t *testing.T) {
	calls := 0
	searchWith(t, func() error { calls++; return nil })
	for n := range calls {
		i := -1
		during, after := searchWith(t, func() error {
			if i++; i >= n {
				return unix.EPERM
			}
			return nil
		})
		if during.Mode != "window" || after.Mode != "window" {
			t.Fatalf("call %d fails for good: mode %q, then %q", n, during.Mode, after.Mode)
		}
	}
}

// TestFailedSearchesKeepNothing: a shortage that lasts for many searches costs no memory.
func TestFailedSearchesKeepNothing(t *testing.T) {
	calls := 0
	searchWith(t, func() error { calls++; return nil })
	before := mappings(t)
	for n := range calls {
		i := -1
		inject = func() error {
			if i++; i == n {
				return unix.ENOMEM
			}
			return nil
		}
		forget()
		clock := time.Hour
		now = func() time.Duration { return clock }
		climb.rungs = rungs()
		for range 20 {
			i = -1
			climb.check()
			clock += pause
		}
	}
	// A search that succeeds keeps two pages, which tests forget; Go's own heap may grow.
	if grown := mappings(t) - before; grown > 2*calls+10 {
		t.Errorf("%d more mappings after 20 failed searches at each of %d calls", grown, calls)
	}
}

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
