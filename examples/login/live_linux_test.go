// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fount/internal/test/require"
)

// The services of live end with it, also if it is killed.
func TestKilledLive(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // what it leaves
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "--listen", "127.0.0.1:0", "--policy", "bcrypt,cost=4", "live")
	cmd.Env = append(os.Environ(), asProgram+"=1")
	log, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
		require.Started(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	lines := bufio.NewScanner(log)
	for lines.Scan() && !strings.Contains(lines.Text(), "finding out") { // both run
	}
	services := childrenOf(t, cmd.Process.Pid)
	if len(services) != 2 {
		t.Fatalf("it has the processes %v; want two", services)
	}
	var ends []unix.PollFd
	for _, pid := range services {
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			t.Skipf("the end of a process can't be seen: %v", err) // before Linux 5.3
		}
		defer unix.Close(fd)
		defer unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
		ends = append(ends, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for _, end := range ends {
		one := []unix.PollFd{end}
		n, err := unix.Poll(one, 30_000)
		for err == unix.EINTR {
			n, err = unix.Poll(one, 30_000)
		}
		if n != 1 || err != nil {
			t.Errorf("a service is left: %v", err)
		}
	}
}

// childrenOf returns the processes that a process has started, whichever of its threads did.
func childrenOf(t *testing.T, pid int) (all []int) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil || len(lists) == 0 {
		t.Skip("this kernel does not list children (CONFIG_PROC_CHILDREN)")
	}
	for _, name := range lists {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
		}
		for _, field := range strings.Fields(string(text)) {
			child, err := strconv.Atoi(field)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, child)
		}
	}
	return all
}
