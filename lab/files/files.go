// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package files repeats the experiment of golang/go#10028 on any machine: processes start together, and each needs some
// random bytes before it can go on. It does not benchmark generators (package nonce does). The slow device is emulated:
// test equipment, whose bytes are used for nothing else.
//
// One concept a file: device.go has the emulated device, source.go the places where bytes come from, reader.go what
// one process does, race.go the gate and the processes behind it, run.go the experiment, result.go its figures,
// text.go and file.go their output.
package files

import (
	"errors"
	"fmt"
	"net"
	"time"
)

// The states of the emulated device's ring at the start.
const (
	Empty = "empty"
	Full  = "full"
)

// Options are what can be chosen. The zero value of a field stands for its default.
type Options struct {
	Procs int           // processes that start together (16)
	Bytes int           // that each must have before it can go on (128)
	Ring  string        // of the emulated device at the start: Empty or Full (Empty)
	Limit time.Duration // of waiting for a source; a process without its Bytes by then is late (22s)
	Count int           // runs of each source but the emulated device, which has one (5)
	More  int           // bytes that each process reads for the rate (1 MiB)
	Tick  time.Duration // of the emulated device's clock (13 ms); else for tests

	Servers  Servers                  // what serves the program's files
	Program  []string                 // the command that runs Reader; nil: none, and nothing can be measured
	Measure  func(source string) bool // whether to measure that source; nil: all
	Progress func(line string)        // told how far it is, by one goroutine; nil: nobody
}

// Servers serve the program's files. The caller provides them, so that the experiment measures what the program runs.
type Servers struct {
	// NineP serves the bytes of read, or the program's own if read is nil, over 9P on a socket in dir or on the loopback. It
	// takes conns connections, and clients that are silent for stall.
	NineP func(dir string, read func([]byte), conns int, stall time.Duration) (at net.Addr, stop func() error, err error)
	// FUSE mounts them; the file random has the program's own bytes.
	FUSE func(mountpoint string) (unmount func() error, err error)
}

// The defaults. In 22 s three processes in a row get their bytes from an empty ring (6.66 s each), and a run of 4
// processes takes less than 30 s in all.
const (
	DefaultProcs = 16
	DefaultBytes = 128
	DefaultLimit = 22 * time.Second
	DefaultCount = 5
	DefaultMore  = 1 << 20
)

func (o *Options) setDefaults() error {
	set := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	set(&o.Procs, DefaultProcs)
	set(&o.Bytes, DefaultBytes)
	set(&o.Count, DefaultCount)
	set(&o.More, DefaultMore)
	if o.Ring == "" {
		o.Ring = Empty
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	if o.Tick == 0 {
		o.Tick = plan9Tick
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	switch {
	case o.Ring != Empty && o.Ring != Full:
		return fmt.Errorf("ring %q is not known; use %s or %s", o.Ring, Empty, Full)
	case len(o.Program) == 0:
		return errors.New("no program that reads: Options.Program is empty")
	case o.Procs < 0 || o.Bytes < 0 || o.Count < 0 || o.More < 0 || o.Limit < 0 || o.Tick < 0:
		return fmt.Errorf("a number below 0 in %+v", *o)
	}
	return nil
}
