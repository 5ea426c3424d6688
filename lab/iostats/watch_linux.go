// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux && (amd64 || arm64 || riscv64)

package iostats

// The watch: what ptrace reports, and which calls that are.

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// A watch follows all threads of a program, by the rules of ptrace(2), "Attaching with PTRACE_SEIZE". It keeps nothing
// about a thread but the call that it is in: stops of threads that are not known yet, as their parent's report can come
// later, need nothing else.
type watch struct {
	pid       int // the program's
	ledger    *ledger
	calls     map[int]call // by thread
	started   bool         // the program has begun
	begun     func(pid int)
	processes int
	status    unix.WaitStatus // of the program
}

// A call is one that a thread is in.
type call struct {
	path     string // "" until an open has given it
	to       string // that a copy writes
	kind     kind
	begin    time.Time
	switches int // of the thread, when a call for random bytes began; else 0
}

func newWatch(pid int, l *ledger) *watch {
	return &watch{pid: pid, ledger: l, calls: make(map[int]call), processes: 1}
}

// run returns when all threads have ended.
func (w *watch) run() error {
	for {
		var status unix.WaitStatus
		tid, err := unix.Wait4(-1, &status, unix.WALL|unix.WNOTHREAD, nil)
		switch {
		case err == unix.EINTR:
			continue
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
	case unix.PTRACE_EVENT_FORK, unix.PTRACE_EVENT_VFORK:
		w.processes++
	case unix.PTRACE_EVENT_EXEC:
		// The thread has the process's ID now. What it had before tells no more.
		if was, err := unix.PtraceGetEventMsg(tid); err == nil && int(was) != tid {
			delete(w.calls, int(was))
		}
		delete(w.calls, tid)
		if !w.started {
			w.started = true
			if w.begun != nil {
				w.begun(tid)
			}
		}
	}
	return unix.PtraceCont(tid, 0)
}

// entered notes the call that the filter stopped at, and waits for its return.
func (w *watch) entered(tid int) error {
	info, err := syscallInfo(tid)
	if err != nil {
		return err
	}
	c := call{kind: kinds[info.nr]}
	switch {
	case info.nr == unix.SYS_GETRANDOM:
		c.path = Getrandom
	case c.kind == copies:
		from, to := ends(info)
		c.path, c.to = nameOf(tid, from), nameOf(tid, to)
	case c.kind != opens:
		c.path = nameOf(tid, descriptor(info.args[0]))
	}
	if w.ledger.random(c.path) {
		c.switches = switches(tid)
	}
	c.begin = time.Now()
	w.calls[tid] = c
	return unix.PtraceSyscall(tid, 0)
}

// returned counts the call that has returned.
func (w *watch) returned(tid int) error {
	info, err := syscallInfo(tid)
	if err != nil {
		return err
	}
	w.leave(tid, info.result)
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
	if c.kind == opens {
		if result < 0 {
			return // there is no such file, and no name for it
		}
		c.path = nameOf(tid, result)
	}
	if c.kind == copies {
		w.ledger.add(c.path, reads, result, took, slept)
		w.ledger.add(c.to, writes, result, took, false)
		return
	}
	w.ledger.add(c.path, c.kind, result, took, slept)
}

// ends are the descriptors between which a call copies.
func ends(i info) (from, to int64) {
	if i.nr == unix.SYS_SENDFILE {
		return descriptor(i.args[1]), descriptor(i.args[0])
	}
	return descriptor(i.args[0]), descriptor(i.args[2])
}

func descriptor(argument uint64) int64 { return int64(int32(argument)) }

// nameOf is the name of an open file. The kernel's answer is the same for all ways to have opened it: no dup, fork or
// exec needs to be followed.
func nameOf(tid int, fd int64) string {
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tid, fd))
	if err != nil {
		return "files that were not open" // or the thread is gone
	}
	return name
}

// switches is how often the thread has given up its core of its own will, 0 if that can't be known. It does so once when
// it stops for the watch, and once more if it sleeps in a call. Time alone would not tell that from a wait for a core.
func switches(tid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/status", tid))
	if err != nil {
		return 0
	}
	_, text, _ = bytes.Cut(text, []byte("\nvoluntary_ctxt_switches:\t"))
	text, _, _ = bytes.Cut(text, []byte("\n"))
	n, err := strconv.Atoi(string(text))
	if err != nil {
		return 0
	}
	return n
}
