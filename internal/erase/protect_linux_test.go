// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !race && !purego

package erase

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// What the package claims is what the kernel says of the memory: VmFlags in
// /proc/self/smaps (proc_pid_smaps(5)) has wf for wiped on fork, dd for left out
// of dumps, lo for locked.
func TestClaimsAreWhatTheKernelSays(t *testing.T) {
	mem := New[[4096]byte](4)
	flags := vmFlags(t, uintptr(unsafe.Pointer(&mem[0])))
	for flag, claimed := range map[string]bool{"wf": WipedOnFork(), "dd": NotDumped(), "lo": Locked()} {
		if has := strings.Contains(flags, " "+flag+" "); claimed && !has {
			t.Errorf("the kernel's flags %q lack %s, which is claimed", flags, flag)
		} else if !claimed {
			t.Logf("%s was not granted here", flag)
		}
	}
	var unprotected [8192]byte // the control: a goroutine's stack has none of them
	if flags := vmFlags(t, uintptr(unsafe.Pointer(&unprotected[4096]))); strings.Contains(flags, " wf ") {
		t.Errorf("control: ordinary memory has flags %q", flags)
	}
}

// A refusal is remembered, and shown for good.
func TestRefusalShows(t *testing.T) {
	before := WipedOnFork()
	refused.lock.Add(1)
	defer refused.lock.Add(-1)
	if Locked() || WipedOnFork() != before {
		t.Errorf("after a refused lock: locked %v, wiped on fork %v, before %v", Locked(), WipedOnFork(), before)
	}
}

// vmFlags returns the flags of the mapping that holds addr.
func vmFlags(t *testing.T, addr uintptr) string {
	t.Helper()
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	inside := false
	for line := range strings.Lines(string(smaps)) {
		var start, end uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &start, &end); n == 2 {
			inside = start <= addr && addr < end
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && inside {
			return " " + strings.TrimSpace(flags) + " "
		}
	}
	t.Skipf("no VmFlags for %#x in /proc/self/smaps", addr)
	return ""
}
