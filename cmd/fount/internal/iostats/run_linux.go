// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux && (amd64 || arm64 || riscv64)

package iostats

// One program, from its start to the end of its last process.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// patience is how long processes have that are asked to end, before they are killed.
const patience = time.Second

// Run runs a program, looked up in PATH, and returns once all processes that it started have ended.
// watcher starts this program again so that it calls Child with the arguments that are added, in
// the streams and the environment that the program gets. When ctx is done the processes are asked
// to end (SIGTERM), then killed; the result has what they did. If this process dies, they die.
func Run(ctx context.Context, watcher *exec.Cmd, command []string) (Result, error) {
	r := Result{Command: command}
	runtime.LockOSThread() // ptrace serves the thread that attached
	defer runtime.UnlockOSThread()

	path, err := exec.LookPath(command[0])
	if err != nil {
		return r, err
	}

	watcher.Args = slices.Concat(watcher.Args, []string{path}, command)
	pid, err := start(watcher)
	if err != nil {
		return r, err
	}

	begin := time.Now()
	w := &watch{pid: pid, ledger: ledger{}, calls: map[int]call{}, count: 1, alive: map[int]bool{pid: true}}
	ended := make(chan struct{})
	defer close(ended)
	go w.endWith(ctx, ended)

	if err := w.run(); err != nil {
		w.signal(unix.SIGKILL)
		return r, err
	}
	r.Elapsed = time.Since(begin).Seconds()
	r.Processes = w.count
	r.Status = w.status.ExitStatus()
	if w.status.Signaled() {
		r.Status = 128 + int(w.status.Signal())
		r.Signal = unix.SignalName(w.status.Signal())
	}

	if w.execs == 0 { // Child ended
		errno := unix.Errno(max(r.Status-notRun, 0)) // 0 if it did not return: its runtime has told why
		return r, fmt.Errorf("%s can't be run, or not be watched: %v", path, cmp.Or(r.Signal, errno.Error()))
	}

	w.ledger.close(&r)
	return r, nil
}

// start starts the process that becomes the program, and begins to watch it. It does not outlive
// this one. Its children will be watched from their start.
func start(cmd *exec.Cmd) (pid int, err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, unix.EPERM) {
			return 0, notPermitted(err)
		}
		return 0, err
	}

	pid = cmd.Process.Pid
	cmd.Process.Release() // it is the watch that waits for it
	if _, err := unix.Wait4(pid, nil, unix.WALL, nil); err != nil {
		return 0, os.NewSyscallError("wait4", err)
	}

	if err := seize(pid); err != nil {
		unix.Kill(pid, unix.SIGKILL)
		unix.Wait4(pid, nil, unix.WALL, nil)
		return 0, notPermitted(err)
	}
	return pid, nil
}

// seize begins to watch a process that has stopped at its start as one that is traced, whose stops
// by SIGSTOP can't be told from others. It stays stopped until it is seized in place of that.
func seize(pid int) error {
	const options = unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACESECCOMP | unix.PTRACE_O_TRACEEXEC |
		unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACECLONE

	if err := request(unix.PTRACE_DETACH, pid, uintptr(unix.SIGSTOP)); err != nil {
		return err
	}
	if err := request(unix.PTRACE_SEIZE, pid, options); err != nil {
		return err
	}
	return unix.Kill(pid, unix.SIGCONT)
}

func notPermitted(err error) error {
	return fmt.Errorf("watching is not permitted here: ptrace: %w", err)
}

// endWith ends the processes when ctx is done, unless they have ended.
func (w *watch) endWith(ctx context.Context, ended <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-ended:
		return
	}

	for s := unix.SIGTERM; ; s = unix.SIGKILL {
		w.signal(s)
		select {
		case <-time.After(patience):
		case <-ended:
			return
		}
	}
}

// Child becomes the program of that path, with these arguments, whose first is its name: the
// process that Run has started calls it. It returns only if it can't, the status by which Run knows
// why: an errno above notRun.
func Child(path string, args []string) (status int) {
	runtime.LockOSThread()                               // the program takes this thread's place
	signal.Reset()                                       // of what this program ignores
	signal.Notify(make(chan os.Signal, 1), unix.SIGPIPE) // not reset; exec drops it

	err := stopAtCalls()
	if err == nil {
		err = syscall.Exec(path, args, os.Environ())
	}
	errno, _ := err.(unix.Errno)
	return notRun + int(errno)
}

// notRun is what Child adds to an errno, of at most 133: Go's runtime exits with 2.
const notRun = 64

// stopAtCalls has this thread, and all that it will start or become, stop at the calls of kinds for
// the process that watches, by seccomp(2). Without the right to do so plainly (CAP_SYS_ADMIN),
// programs that it runs get no more rights than it has: no set-user-ID.
func stopAtCalls() error {
	code := filter()
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}

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

// filter is a program for struct seccomp_data: the call's number is its first word, the
// architecture its second. Programs of another one (32 bits) go on unseen: their numbers differ.
func filter() []unix.SockFilter {
	const (
		load  = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		end   = unix.BPF_RET | unix.BPF_K

		atNumber       = 0
		atArchitecture = 4
	)
	allow := unix.SockFilter{Code: end, K: unix.SECCOMP_RET_ALLOW}
	trace := unix.SockFilter{Code: end, K: unix.SECCOMP_RET_TRACE}

	code := []unix.SockFilter{
		{Code: load, K: atArchitecture},
		{Code: equal, K: auditArch[runtime.GOARCH], Jt: 1}, // over the next
		allow,
		{Code: load, K: atNumber},
	}
	for nr := range kinds {
		code = append(code, unix.SockFilter{Code: equal, K: uint32(nr), Jf: 1}, trace)
	}
	return append(code, allow)
}
