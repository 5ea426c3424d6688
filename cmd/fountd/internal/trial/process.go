// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package trial

// Processes: started in their place, listened to, ended.

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A place is where a process runs: nowhere special, if it is zero.
type place struct {
	group   *group   // its CPU quota
	network *network // its network, if not this process's
}

// A starter starts processes from a thread of its own, which enters their places for as long as it takes: a process is in its control
// group and network before its first instruction. When the thread ends, as it does with this process, however that ends, the
// kernel kills what it has started, on Linux.
type starter chan func()

func newStarter() starter {
	s := make(starter)
	go func() {
		runtime.LockOSThread() // it is left locked: other goroutines get no thread that was elsewhere
		for do := range s {
			do()
		}
	}()
	return s
}

// start starts cmd in a place.
func (s starter) start(cmd *exec.Cmd, p place) error {
	done := make(chan error)
	s <- func() { done <- p.start(cmd) }
	return <-done
}

// mostLog is how many bytes of a process's last lines are kept.
const mostLog = 16 << 10

// A process is one that was started.
type process struct {
	cmd   *exec.Cmd
	ready chan struct{} // closed when it has logged the word
	ended chan struct{} // closed when it has; then err says how

	err error

	mu  sync.Mutex
	log string // its last lines
}

// start starts a command. It is ready when a line of its standard error has the word. An interrupt from the terminal is not its to
// take: it has a process group of its own.
func (s starter) process(args, env []string, p place, word string) (*process, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithUs(cmd.SysProcAttr)
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr, cmd.Stdout = w, w
	err = s.start(cmd, p)
	w.Close()
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("%s: %w", args[0], err)
	}
	x := &process{cmd: cmd, ready: make(chan struct{}), ended: make(chan struct{})}
	go x.listen(r, word)
	return x, nil
}

func (x *process) listen(r io.ReadCloser, word string) {
	defer r.Close()
	ready := false
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		x.mu.Lock()
		x.log += lines.Text() + "\n"
		x.log = x.log[max(0, len(x.log)-mostLog):]
		x.mu.Unlock()
		if !ready && strings.Contains(lines.Text(), word) {
			ready = true
			close(x.ready)
		}
	}
	x.err = x.cmd.Wait()
	close(x.ended)
}

// patience is how long a process may take to start, on a machine that does much else.
const patience = time.Minute

// wait returns when the process is ready, or has ended before.
func (x *process) wait() error {
	over := time.NewTimer(patience)
	defer over.Stop()
	select {
	case <-x.ready:
		return nil
	case <-x.ended:
		return fmt.Errorf("it ended (%v): %s", x.err, x.last())
	case <-over.C:
		return fmt.Errorf("after %v it is not ready: %s", patience, x.last())
	}
}

// last is the last that it has logged.
func (x *process) last() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return strings.TrimSpace(x.log)
}

func (x *process) alive() bool {
	select {
	case <-x.ended:
		return false
	default:
		return true
	}
}

func (x *process) signal(s syscall.Signal) error { return x.cmd.Process.Signal(s) }

// kill ends the process now, and returns when it has ended.
func (x *process) kill() {
	x.cmd.Process.Kill()
	<-x.ended
}
