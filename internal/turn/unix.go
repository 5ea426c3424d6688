// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

package turn

import (
	"os"
	"syscall"
	"time"
)

// A pipe lets a goroutine wait for the network poller: the goroutine writes a byte, and waits until
// the poller reports that it can be read. A P polls as soon as it has nothing else to run. It then
// finds this goroutine and, with the same system call, all whose connections are ready. It takes
// three system calls.
//
// A sleep of 20 µs instead cost 31 % of the throughput on Linux, where the poller waits for whole
// milliseconds. A timerfd cost 16 %, because the processor goes idle.
type pipe struct {
	r, w  *os.File
	conn  syscall.RawConn // r's
	b     [1]byte
	ready func(from uintptr) bool // p.step, kept as each method value is an allocation
	wrote bool
}

// newPipe returns nil if there are no more descriptors.
func newPipe() *pipe {
	r, w, err := os.Pipe()
	if err != nil {
		return nil
	}
	p := &pipe{r: r, w: w}
	p.ready = p.step
	p.conn, _ = r.SyscallConn() // fails only for a nil file
	return p
}

// wait returns true after a poll, or false at once if it could not wait.
func (p *pipe) wait() bool {
	p.wrote = false
	return p.conn.Read(p.ready) == nil
}

// step writes the byte and returns false, as it is not ready. When the poller calls it again, it
// reads the byte and returns true.
func (p *pipe) step(from uintptr) bool {
	if p.wrote {
		syscall.Read(int(from), p.b[:])
		return true
	}
	p.wrote = true
	_, err := p.w.Write(p.b[:])
	return err != nil // without a byte there is nothing to wait for
}

// knowsCPU reports whether processTime returns CPU time.
const knowsCPU = true

// processTime returns the CPU time that all threads of the process have used.
func processTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
