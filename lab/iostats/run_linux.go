// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build linux && (amd64 || arm64 || riscv64)

package iostats

// One program, from its start to the end of its last process.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A task is what Run tells Child. It is of bytes, as JSON would change a string that is not UTF-8.
type task struct {
	Path []byte
	Args [][]byte
}

func newTask(path string, args []string) task {
	t := task{Path: []byte(path)}
	for _, arg := range args {
		t.Args = append(t.Args, []byte(arg))
	}
	return t
}

// The file descriptors by which Run and Child talk. The program's standard input is its own.
const (
	taskFD  = 3 // Child reads its task
	replyFD = 4 // Child writes its thread's ID and a newline; then, if the program can't be run, why
)

// Run runs the program and returns once all processes that it started have ended. If this process dies, they are
// killed. An error says why the program could not be run or watched; how it ended is in the result. One Run may be under
// way in a process.
func Run(o Options) (Result, error) {
	r := Result{Command: o.Command}
	path, err := exec.LookPath(o.Command[0])
	if err != nil {
		return r, err
	}
	runtime.LockOSThread() // ptrace serves the thread that attached
	defer runtime.UnlockOSThread()

	c, err := startChild(o)
	if err != nil {
		return r, err
	}
	defer c.close()
	begin := time.Now()
	w := newWatch(c.pid, newLedger(resolved(o.Sources)))
	if err := c.attach(); err != nil {
		return r, errors.Join(err, c.kill())
	}
	// A task may be longer than a pipe holds, and a signal may stop the child while it reads: this thread has to watch by then.
	// A child that is not told all ends.
	go c.tell(newTask(path, o.Command))
	w.begun = o.begun
	if err := w.run(); err != nil {
		return r, errors.Join(err, c.kill())
	}
	if !w.started {
		return r, c.reason(path)
	}
	r.Elapsed = time.Since(begin).Seconds()
	r.Processes = w.processes
	r.Status = w.status.ExitStatus()
	if w.status.Signaled() {
		r.Status = 128 + int(w.status.Signal())
		r.Signal = unix.SignalName(w.status.Signal())
	}
	w.ledger.close(&r)
	return r, nil
}

// resolved are the paths by which /proc will name these files.
func resolved(paths []string) (names []string) {
	for _, path := range paths {
		if name, err := filepath.EvalSymlinks(path); err == nil {
			path = name
		}
		if name, err := filepath.Abs(path); err == nil {
			path = name
		}
		names = append(names, path)
	}
	return names
}

// A child is the process that becomes the program.
type child struct {
	pid, tid int // of the process, and of its thread that becomes the program
	task     *os.File
	reply    *os.File
}

func startChild(o Options) (c *child, err error) {
	taskRead, taskWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer taskRead.Close()
	replyRead, replyWrite, err := os.Pipe()
	if err != nil {
		taskWrite.Close()
		return nil, err
	}
	defer replyWrite.Close()
	c = &child{task: taskWrite, reply: replyRead}
	program := o.Watcher
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Args[0] = os.Args[0] // some go by it
	cmd.Env = o.Env
	if o.Stdin != nil {
		cmd.Stdin = o.Stdin
	}
	if o.Stdout != nil {
		cmd.Stdout = o.Stdout
	}
	if o.Stderr != nil {
		cmd.Stderr = o.Stderr
	}
	cmd.ExtraFiles = []*os.File{taskRead, replyWrite}
	if err := cmd.Start(); err != nil {
		c.close()
		return nil, err
	}
	c.pid = cmd.Process.Pid
	cmd.Process.Release() // it is the watch that waits for it
	replyWrite.Close()
	var line []byte
	for !bytes.HasSuffix(line, []byte("\n")) {
		var b [1]byte
		if _, err := io.ReadFull(c.reply, b[:]); err != nil {
			return nil, errors.Join(fmt.Errorf("the process that becomes the program ended at once"), c.kill())
		}
		line = append(line, b[0])
	}
	if c.tid, err = strconv.Atoi(string(bytes.TrimSpace(line))); err != nil {
		return nil, errors.Join(fmt.Errorf("the process that becomes the program wrote %q, want a thread ID", line), c.kill())
	}
	return c, nil
}

func (c *child) close() {
	c.task.Close()
	c.reply.Close()
}

// attach begins to watch the thread that becomes the program. Its children will be watched from their start.
func (c *child) attach() error {
	const options = unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACESECCOMP |
		unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACECLONE
	if err := request(unix.PTRACE_SEIZE, c.tid, options); err != nil {
		return fmt.Errorf("watching is not permitted here: ptrace: %w", err)
	}
	return nil
}

func (c *child) tell(t task) error {
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if _, err = c.task.Write(text); err != nil {
		return err
	}
	return c.task.Close()
}

// kill ends the process where the watch can't, and waits for it.
func (c *child) kill() error {
	c.close()
	unix.Kill(c.pid, unix.SIGKILL)
	for {
		if _, err := unix.Wait4(c.pid, nil, unix.WALL, nil); err != unix.EINTR {
			return nil
		}
	}
}

// reason is why the program could not be run.
func (c *child) reason(path string) error {
	text, _ := io.ReadAll(c.reply)
	if len(text) == 0 {
		return fmt.Errorf("%s was not run, and the process that was to become it did not say why", path)
	}
	return errors.New(strings.TrimSpace(string(text)))
}

// Child becomes the program that Run, in the process that started this one, tells it to. It returns only if it can't.
func Child() error {
	runtime.LockOSThread() // the filter and ptrace hold for this thread, and the program takes its place
	reply := os.NewFile(replyFD, "reply")
	unix.CloseOnExec(replyFD)
	in := os.NewFile(taskFD, "task")
	if _, err := fmt.Fprintln(reply, unix.Gettid()); err != nil {
		return errors.New("it is started by another command, and not by hand")
	}
	var t task
	if err := json.NewDecoder(in).Decode(&t); err != nil {
		return err // Run is gone, or could not watch and said so
	}
	in.Close()
	if err := become(t); err != nil {
		fmt.Fprintln(reply, err)
	}
	return nil
}

func become(t task) error {
	signal.Reset()                                          // what this program ignores, the other one does not
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // Reset leaves this one ignored; exec drops what is caught
	if err := stopAtCalls(); err != nil {
		return fmt.Errorf("watching is not permitted here: seccomp: %w", err)
	}
	args := make([]string, len(t.Args))
	for i, arg := range t.Args {
		args[i] = string(arg)
	}
	return fmt.Errorf("%s can't be run: %w", t.Path, syscall.Exec(string(t.Path), args, os.Environ()))
}
