// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux && (amd64 || arm64 || riscv64)

package iostats

// The watch: what ptrace reports, and which calls that are.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"
	"unsafe"

	"fount/internal/sysfile"

	"golang.org/x/sys/unix"
)

// kinds are the watched calls, by number. The first argument of those that read or write is an open
// file, but for getrandom's; those that copy have two.
var kinds = map[uint64]kind{
	unix.SYS_OPENAT: opens, unix.SYS_OPENAT2: opens,
	unix.SYS_GETRANDOM: reads,
	unix.SYS_READ:      reads, unix.SYS_READV: reads, unix.SYS_PREAD64: reads, unix.SYS_PREADV: reads, unix.SYS_PREADV2: reads,
	unix.SYS_WRITE: writes, unix.SYS_WRITEV: writes, unix.SYS_PWRITE64: writes, unix.SYS_PWRITEV: writes, unix.SYS_PWRITEV2: writes,
	unix.SYS_COPY_FILE_RANGE: copies, unix.SYS_SENDFILE: copies, unix.SYS_SPLICE: copies,
}

func init() {
	if runtime.GOARCH == "amd64" { // the others have neither
		const open, creat = 2, 85
		kinds[open] = opens
		kinds[creat] = opens
	}
}

// A watch follows all threads of a program, by the rules of ptrace(2), "Attaching with
// PTRACE_SEIZE". It keeps nothing about a thread but the call that it is in: stops of threads that
// are not known yet, as their parent's report can come later, need nothing else.
type watch struct {
	pid    int // the program's
	ledger ledger
	calls  map[int]call    // by thread
	count  int             // of processes
	execs  int             // programs that processes have become
	status unix.WaitStatus // of the program

	mu    sync.Mutex
	alive map[int]bool // the processes, for who ends them
}

// A call is one that a thread is in.
type call struct {
	path     string // "" of an open, which gives it
	to       string // that a copy writes
	kind     kind
	begin    time.Time
	switches int // of the thread, when a call for random bytes began; else 0
}

// signal sends all processes a signal.
func (w *watch) signal(s unix.Signal) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for pid := range w.alive {
		_ = unix.Kill(pid, s) // it may have ended
	}
}

// run returns when all threads have ended.
func (w *watch) run() error {
	for {
		var status unix.WaitStatus
		tid, err := sysfile.Retry(func() (int, error) {
			return unix.Wait4(-1, &status, unix.WALL|unix.WNOTHREAD, nil)
		})
		switch {
		case err == unix.ECHILD:
			return nil
		case err != nil:
			return os.NewSyscallError("wait4", err)
		}

		if status.Stopped() {
			err = w.stopped(tid, status)
		} else {
			w.ended(tid, status)
		}

		if err != nil && err != unix.ESRCH { // a thread may be killed while it is stopped
			return fmt.Errorf("ptrace: %w", err)
		}
	}
}

// ended counts the call that a thread was in when it was ended.
func (w *watch) ended(tid int, status unix.WaitStatus) {
	w.leave(tid, -1)
	if tid == w.pid {
		w.status = status
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.alive, tid)
}

// eventStop is PTRACE_EVENT_STOP of linux/ptrace.h.
const eventStop = 128

// stopped looks why a thread has stopped, and has it go on.
func (w *watch) stopped(tid int, status unix.WaitStatus) error {
	signal := status.StopSignal()
	switch event := int(status) >> 16; event {
	case 0:
		if signal == unix.SIGTRAP|0x80 { // a system call has returned
			return w.returned(tid)
		}
		return unix.PtraceCont(tid, int(signal))
	case unix.PTRACE_EVENT_SECCOMP:
		return w.entered(tid)
	case eventStop:
		if signal != unix.SIGTRAP { // it is to stay stopped, until a SIGCONT
			return request(unix.PTRACE_LISTEN, tid, 0)
		}
	case unix.PTRACE_EVENT_FORK, unix.PTRACE_EVENT_VFORK, unix.PTRACE_EVENT_CLONE:
		w.started(tid)
	case unix.PTRACE_EVENT_EXEC:
		// The thread has the process's ID now. What it had before tells no more.
		if was, err := unix.PtraceGetEventMsg(tid); err == nil {
			delete(w.calls, int(was))
		}
		delete(w.calls, tid)
		w.execs++
	}

	return unix.PtraceCont(tid, 0)
}

// started counts a started process. Clone makes threads too, and processes without SIGCHLD.
func (w *watch) started(tid int) {
	child, err := unix.PtraceGetEventMsg(tid)
	if err != nil || statusLine(int(child), "Tgid") != int(child) {
		return
	}
	w.count++
	w.mu.Lock()
	defer w.mu.Unlock()
	w.alive[int(child)] = true
}

// entered notes the call that the filter stopped at, and waits for its return.
func (w *watch) entered(tid int) error {
	words, err := syscallInfo(tid)
	if err != nil {
		return err
	}

	number := words[0]
	c := call{kind: kinds[number]}
	argument := func(i int) string { return nameOf(tid, int64(int32(words[i]))) } // of an int
	switch {
	case number == unix.SYS_GETRANDOM:
		c.path = Getrandom
	case number == unix.SYS_SENDFILE:
		c.path = argument(2)
		c.to = argument(1)
	case c.kind == copies:
		c.path = argument(1)
		c.to = argument(3)
	case c.kind != opens:
		c.path = argument(1)
	}

	if slices.Contains(devices, c.path) {
		c.switches = switches(tid)
	}

	c.begin = time.Now()
	w.calls[tid] = c
	return unix.PtraceSyscall(tid, 0)
}

// returned counts the call that has returned.
func (w *watch) returned(tid int) error {
	words, err := syscallInfo(tid)
	if err != nil {
		return err
	}
	w.leave(tid, int64(words[0]))
	return unix.PtraceCont(tid, 0)
}

// leave counts the call that the thread is in, if any, by its result.
func (w *watch) leave(tid int, result int64) {
	c, ok := w.calls[tid]
	if !ok {
		return
	}
	delete(w.calls, tid)

	took := time.Since(c.begin)
	slept := took >= waiting && c.switches > 0 && switches(tid) > c.switches+1

	switch {
	case c.kind == opens && result < 0: // there is no such file, and no name for it
	case c.kind == opens:
		w.ledger.add(nameOf(tid, result), opens, result, took, slept)
	case c.kind == copies:
		w.ledger.add(c.path, reads, result, took, slept)
		w.ledger.add(c.to, writes, result, took, false)
	default:
		w.ledger.add(c.path, c.kind, result, took, slept)
	}
}

// nameOf is the name of an open file. The kernel's answer is the same for all ways to have opened
// it: no dup, fork or exec needs to be followed.
func nameOf(tid int, fd int64) string {
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tid, fd))
	if err != nil {
		return "files that were not open" // or the thread is gone
	}
	return name
}

// switches is how often the thread has given up its core of its own will, 0 if not known: once when
// it stops for the watch, and once more if it sleeps in a call and does not just lack a core.
func switches(tid int) int { return statusLine(tid, "voluntary_ctxt_switches") }

// statusLine is a number that /proc has of a thread, 0 if there is none.
func statusLine(tid int, name string) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/status", tid))
	if err != nil {
		return 0
	}
	_, text, _ = bytes.Cut(text, []byte("\n"+name+":\t"))
	text, _, _ = bytes.Cut(text, []byte("\n"))
	n, _ := strconv.Atoi(string(text)) // 0 with an error
	return n
}

// request makes a request of ptrace that has no address.
func request(request, tid int, data uintptr) error {
	_, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, uintptr(request), uintptr(tid), 0, data, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// auditArch is what the kernel calls this architecture.
var auditArch = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64, "riscv64": unix.AUDIT_ARCH_RISCV64}

// syscallInfo is the call at which a thread has stopped and its first arguments, or what it
// returns, below 0 -errno: at 24 of the 88 bytes of struct ptrace_syscall_info (Linux 5.3).
func syscallInfo(tid int) (words [4]uint64, err error) {
	var b [88]byte
	_, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(tid), uintptr(len(b)), uintptr(unsafe.Pointer(&b)), 0, 0)
	if errno != 0 {
		return words, errno
	}

	for i := range words {
		words[i] = binary.NativeEndian.Uint64(b[24+8*i:])
	}
	return words, nil
}
