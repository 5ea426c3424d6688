// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// These tests take getrandom away by a seccomp filter. It must be there before
// the child's first instruction, because a vDSO generator that was seeded once
// makes no system call for a long time: so a first child installs it and
// executes the next one, which inherits it.

const (
	filterEnv = "FOUNT_TEST_FILTER" // the errno that getrandom shall return
	nextEnv   = "FOUNT_TEST_NEXT"   // the child that shall run under the filter
)

func init() { children["seccomp"] = filterAndExec }

func runFiltered(t *testing.T, child, errno string) (stdout, stderr string, exit int) {
	return runChild(t, "seccomp", filterEnv+"="+errno, nextEnv+"="+child)
}

func filterAndExec() {
	runtime.LockOSThread() // until the exec: a filter belongs to its thread
	errno := map[string]unix.Errno{"EPERM": unix.EPERM, "ENOSYS": unix.ENOSYS, "EIO": unix.EIO}[os.Getenv(filterEnv)]
	const (
		load = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		jeq  = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		ret  = unix.BPF_RET | unix.BPF_K
	)
	filter := []unix.SockFilter{
		{Code: load, K: 0}, // struct seccomp_data: the system call's number
		{Code: jeq, K: unix.SYS_GETRANDOM, Jf: 1},
		{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(errno)},
		{Code: ret, K: unix.SECCOMP_RET_ALLOW},
	}
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	if err == nil {
		err = unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&prog)), 0, 0)
	}
	if err == nil {
		os.Setenv(childEnv, os.Getenv(nextEnv))
		err = unix.Exec("/proc/self/exe", os.Args, os.Environ())
	}
	fmt.Print("no seccomp filter can be installed here: ", err)
	os.Exit(77)
}

func TestFirstSeedFails(t *testing.T) {
	for _, child := range []string{"draw", "strict", "bulk"} {
		for errno, text := range map[string]string{"EPERM": "operation not permitted", "EIO": "input/output error"} {
			t.Run(child+"/"+errno, func(t *testing.T) {
				stdout, stderr, exit := runFiltered(t, child, errno)
				wantStopped(t, stdout, stderr, exit, "getrandom(2)", text)
			})
		}
	}
}

// net/http recovers what panics in a handler; the process must end all the
// same.
func TestHandlerDoesNotSurvive(t *testing.T) {
	stdout, stderr, exit := runFiltered(t, "handler", "EPERM")
	wantStopped(t, stdout, stderr, exit, "getrandom(2)")
}

// Where the system call does not exist /dev/urandom serves.
func TestNoGetrandom(t *testing.T) {
	for _, child := range []string{"draw", "strict", "bulk"} {
		stdout, stderr, exit := runFiltered(t, child, "ENOSYS")
		if exit != 0 || stderr != "" || !strings.HasSuffix(stdout, "/dev/urandom") || strings.HasPrefix(stdout, strings.Repeat("0", 32)) {
			t.Errorf("%s: exit status %d, output %q, errors %q", child, exit, stdout, stderr)
		}
	}
}
