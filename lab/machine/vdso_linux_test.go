// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A test of this kernel's vDSO, against the kernel itself.

package machine

import (
	"encoding/binary"
	"errors"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"unsafe" // to hand a filter program to prctl

	"fount/internal/processor"

	"golang.org/x/sys/unix"
)

// TestOwnVDSO takes the getrandom system call away from one thread and draws there. What still works works in the vDSO.
func TestOwnVDSO(t *testing.T) {
	symbol, used := ownVDSO()
	t.Logf("symbol %q, used: %s", symbol, used)
	if used == Unknown {
		t.Skip("this process may not read its own memory")
	}
	err := drawWithoutSyscall()
	switch {
	case errors.Is(err, errNoFilter):
		t.Skip(err)
	case err != nil && !errors.Is(err, unix.EPERM):
		t.Fatal(err)
	}
	if without := err == nil; without != (used == Yes) {
		t.Errorf("getrandom works without its system call: %v; the vDSO has it and Go uses it: %s (symbol %q)", without, used, symbol)
	}
}

var errNoFilter = errors.New("seccomp filters can't be set here")

// drawWithoutSyscall draws once, so that this thread has a vDSO state with a key, forbids the thread the getrandom system
// call (EPERM), and draws again. The thread ends with the goroutine that is locked to it. The kernel's generator is
// reseeded once a minute, and the next draw then needs the system call even in the vDSO: hence several attempts.
func drawWithoutSyscall() (err error) {
	for range 3 {
		result := make(chan error)
		go func() {
			runtime.LockOSThread() // never unlocked
			b := make([]byte, 16)
			if err := Getrandom(b); err != nil {
				result <- err
				return
			}
			if err := forbid(unix.SYS_GETRANDOM); err != nil {
				result <- errors.Join(errNoFilter, err)
				return
			}
			if err := RawGetrandom(b); !errors.Is(err, unix.EPERM) {
				result <- errors.Join(errNoFilter, errors.New("the filter does not hold")) // the negative control
				return
			}
			result <- Getrandom(b)
		}()
		if err = <-result; err == nil {
			return nil
		}
	}
	return err
}

// forbid makes a system call fail with EPERM in this thread, for good. The program is classic BPF: load the call's
// number, compare, return.
func forbid(nr uint32) error {
	prog := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: nr, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	fprog := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&fprog)), 0, 0)
}

// TestOwnAuxv reads this process's vector, whose page size Go knows from elsewhere.
func TestOwnAuxv(t *testing.T) {
	b, err := os.ReadFile("/proc/self/auxv")
	if err != nil {
		t.Skip(err)
	}
	aux, err := parseAuxv(b, strconv.IntSize/8, binary.NativeEndian)
	if err != nil {
		t.Fatal(err)
	}
	const atPageSize = 6
	if got, want := aux[atPageSize], uint64(os.Getpagesize()); got != want {
		t.Errorf("page size %d, want %d", got, want)
	}
}

// TestInspectHere holds what Linux says against what Go says. (An emulated arm64 may show the cpuinfo of its host.)
func TestInspectHere(t *testing.T) {
	f := Inspect()
	t.Logf("%+v", f)
	if f.Kernel == "" || f.Cores != runtime.NumCPU() {
		t.Errorf("kernel %q, %d cores, want a release and %d", f.Kernel, f.Cores, runtime.NumCPU())
	}
	if verdict := processor.Here(); runtime.GOARCH == "amd64" &&
		(slices.Contains(f.Features, "RDRAND") != (verdict.RDRAND == "") || slices.Contains(f.Features, "RDSEED") != (verdict.RDSEED == "")) {
		t.Errorf("the doctor sees %q, the library %+v", f.Features, verdict)
	}
	if f.Random.Getrandom == Ready && f.Random.Urandom == Absent {
		t.Error("/dev/urandom was not looked at")
	}
}
