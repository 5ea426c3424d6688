// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux && (amd64 || arm64 || riscv64)

package iostats

// The calls of the kernel for which golang.org/x/sys/unix has no function. Unsafe, as they take the address of memory:
// ptrace(2), PTRACE_GET_SYSCALL_INFO (since Linux 5.3), and seccomp(2), SECCOMP_SET_MODE_FILTER.

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// request makes a request of ptrace that has no address.
func request(request, tid int, data uintptr) error {
	_, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, uintptr(request), uintptr(tid), 0, data, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// An info is what the kernel tells about a thread that has stopped at a system call.
type info struct {
	nr     uint64    // the call, where it has been entered
	args   [3]uint64 // its first arguments
	result int64     // where it has returned; below 0 -errno
}

// struct ptrace_syscall_info of linux/ptrace.h: its size, places and codes.
const (
	infoSize    = 88
	infoUnion   = 24
	infoExit    = 2 // PTRACE_SYSCALL_INFO_EXIT
	infoSeccomp = 3 // PTRACE_SYSCALL_INFO_SECCOMP
)

func syscallInfo(tid int) (info, error) {
	var b [infoSize]byte
	_, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(tid), infoSize,
		uintptr(unsafe.Pointer(&b)), 0, 0)
	if errno != 0 {
		return info{}, errno
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(b[infoUnion+8*i:]) }
	switch b[0] {
	case infoExit:
		return info{result: int64(word(0))}, nil
	case infoSeccomp:
		return info{nr: word(0), args: [3]uint64{word(1), word(2), word(3)}}, nil
	}
	return info{}, fmt.Errorf("PTRACE_GET_SYSCALL_INFO says %d, want %d or %d", b[0], infoExit, infoSeccomp)
}

// stopAtCalls has this thread, and all that it will start or become, stop at the calls of kinds for the process that
// watches. Without the right to do so plainly (CAP_SYS_ADMIN), programs that it runs get no more rights than it has:
// no set-user-ID.
func stopAtCalls() error {
	raw, err := bpf.Assemble(filter())
	if err != nil {
		return err
	}
	filters := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		filters[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	program := unix.SockFprog{Len: uint16(len(filters)), Filter: &filters[0]}
	install := func() error {
		_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
		if errno != 0 {
			return errno
		}
		return nil
	}
	if err := install(); err != unix.EACCES {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	return install()
}

// filter is a program for struct seccomp_data: the call's number is its first word, the architecture its second.
// Programs of another architecture (32 bits) go on unseen, as their numbers differ.
func filter() []bpf.Instruction {
	code := []bpf.Instruction{
		bpf.LoadAbsolute{Off: 4, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW},
		bpf.LoadAbsolute{Off: 0, Size: 4},
	}
	for nr := range kinds {
		code = append(code,
			bpf.JumpIf{Cond: bpf.JumpNotEqual, Val: uint32(nr), SkipTrue: 1},
			bpf.RetConstant{Val: unix.SECCOMP_RET_TRACE})
	}
	return append(code, bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW})
}
