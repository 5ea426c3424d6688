// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The sources: where the processes of a race get their bytes.

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Servers serve the program's files as the program does, which provides them.
type Servers struct {
	// NineP serves the bytes of read, or the program's own if read is nil, over 9P on a socket in
	// dir or on the loopback. It takes conns connections, and clients that are silent for stall.
	NineP func(dir string, read func([]byte), conns int, stall time.Duration) (at string, stop func() error, err error)
	// Open9P opens the file random of a server.
	Open9P func(address string) (io.ReadCloser, error)
	// FUSE mounts them; the file random has the program's own bytes.
	FUSE func(mountpoint string) (unmount func() error, err error)
}

// A source is where bytes are from, before it is open.
type source struct {
	name string
	then float64 // the published delay in s
	slow bool    // one round
	open func(opener, context.Context) (*supply, error)
}

// An opener opens sources for an experiment, with what they need in dir.
type opener struct {
	experiment
	Servers
	dir string
}

// Names of sources.
const (
	emulated = "Plan 9's device, emulated"
	by9P     = "fount's files by 9P"
	byFUSE   = "fount's files by FUSE"
	urandom  = "/dev/urandom"
)

var sources = []source{
	{name: emulated, then: 4.08, slow: true, open: opener.emulated},
	{name: by9P, then: 0.63e-3, open: opener.by9P},
	{name: byFUSE, open: opener.byFUSE},
	{name: urandom, open: file(urandom)},
	{name: "fount in the process", open: file("")},
}

// A supply is a source that is open.
type supply struct {
	task  task
	took  time.Duration // to start its server, once a machine and not once a process; 0: none
	begin func()        // called when the gate opens; may be nil
	close func() error
}

// emulated serves the device through the same 9P server as fount's files: only the source of
// the bytes differs. The device starts when the gate opens, so that its ring is empty then.
func (o opener) emulated(context.Context) (*supply, error) {
	d := newDevice()
	supply, err := o.serve9P("device", func(b []byte) { _, _ = d.Read(b) })
	if err != nil {
		return nil, err
	}

	hangUp := supply.close
	supply.begin = func() { d.start(o.tick) }
	supply.close = func() error {
		d.close() // first: the server waits for its reads
		return hangUp()
	}
	return supply, nil
}

// by9P starts a server as on Plan 9, where it has to wait for its seed from the device
// before it serves. The time is Plan 9's, and the bytes are fount's.
func (o opener) by9P(ctx context.Context) (*supply, error) {
	begin := time.Now()
	d := newDevice()
	defer d.close()
	d.start(o.tick)

	stop := context.AfterFunc(ctx, d.close)
	defer stop()
	if _, err := d.Read(make([]byte, 32)); err != nil {
		return nil, err
	}

	supply, err := o.serve9P("files", nil)
	if err != nil {
		return nil, err
	}

	supply.took = time.Since(begin)
	return supply, nil
}

// serve9P serves the bytes of read, or the program's own if that is nil. A round's connections may
// be open still when the next begins, and a slow read is no client that has stalled.
func (o opener) serve9P(name string, read func([]byte)) (*supply, error) {
	own := filepath.Join(o.dir, name)
	if err := os.Mkdir(own, 0o700); err != nil {
		return nil, err
	}

	address, stop, err := o.NineP(own, read, 4*o.procs+16, 2*o.limit+time.Minute)
	if err != nil {
		return nil, err
	}
	return &supply{task: task{NineP: address}, close: stop}, nil
}

// byFUSE mounts the files in an empty directory of dir.
func (o opener) byFUSE(context.Context) (*supply, error) {
	begin := time.Now()
	mountpoint := filepath.Join(o.dir, "mount")
	if err := os.Mkdir(mountpoint, 0o700); err != nil {
		return nil, err
	}

	unmount, err := o.FUSE(mountpoint)
	if err != nil {
		return nil, err
	}
	random := task{File: filepath.Join(mountpoint, "random")}
	return &supply{task: random, took: time.Since(begin), close: unmount}, nil
}

// file reads a file, or in the process if it is "".
func file(name string) func(opener, context.Context) (*supply, error) {
	return func(opener, context.Context) (*supply, error) {
		return &supply{task: task{File: name}, close: func() error { return nil }}, nil
	}
}
