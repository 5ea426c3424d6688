// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// One process of a race: it gets ready, waits at the gate, opens its source, reads, and says when.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"fount"

	"9fans.net/go/plan9"
)

// A task says what a process does behind the gate.
type task struct {
	Network string // by 9P: net.Dial's
	Address string // or else a file's name; "": in the process
	Bytes   int    // to read
}

// clock is the time in ns that all processes share. Setting it spoils the run's figures.
func clock() int64 { return time.Now().UnixNano() }

// A said is what a process tells. Times are clock's.
type said struct {
	Ready  int64 // first: it waits at the gate
	Passed int64 // then: the gate opened
	Had    int64 // and it had its bytes
}

// read does the work of a process: it takes its task, waits for the gate to open, and reads.
func read(in *json.Decoder, out *json.Encoder) error {
	var t task
	if err := in.Decode(&t); err != nil {
		return fmt.Errorf("a task: %w", err)
	}
	b := make([]byte, t.Bytes)
	if err := out.Encode(said{Ready: clock()}); err != nil {
		return err
	}
	var open bool
	if err := in.Decode(&open); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	s := said{Passed: clock()}
	if err := t.do(b); err != nil {
		return err
	}
	s.Had = clock()
	return out.Encode(s)
}

// do opens the source and fills b.
func (t task) do(b []byte) error {
	r, err := t.open()
	if err != nil {
		return err
	}
	defer r.Close()
	if n, err := io.ReadFull(r, b); err != nil {
		return fmt.Errorf("%d of %d bytes: %w", n, len(b), err)
	}
	return nil
}

func (t task) open() (io.ReadCloser, error) {
	switch {
	case t.Network != "":
		return open9P(t.Network, t.Address)
	case t.Address != "":
		return os.Open(t.Address)
	}
	return io.NopCloser(fount.Reader), nil
}

const (
	rootFid   = 1
	randomFid = 2
)

// dialTimeout is more than a loopback connection ever takes, unless the server's backlog is full.
const dialTimeout = 10 * time.Second

// A file9P is one file, open for reading.
type file9P struct {
	conn  net.Conn
	msize uint32
}

// open9P does what a mount and an open do on Plan 9, where one mount serves all processes.
func open9P(network, address string) (io.ReadCloser, error) {
	conn, err := net.DialTimeout(network, address, dialTimeout)
	if err != nil {
		return nil, err
	}
	f := &file9P{conn: conn, msize: 128 << 10}
	if err := f.open(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return f, nil
}

func (f *file9P) open() error {
	version, err := f.call(&plan9.Fcall{Type: plan9.Tversion, Tag: plan9.NOTAG, Msize: f.msize, Version: plan9.VERSION9P})
	if err != nil {
		return err
	}
	if version.Version != plan9.VERSION9P || version.Msize > f.msize || version.Msize <= plan9.IOHDRSIZE {
		return fmt.Errorf("9P: version %q, msize %d", version.Version, version.Msize)
	}
	f.msize = version.Msize
	for _, message := range []*plan9.Fcall{
		{Type: plan9.Tattach, Fid: rootFid, Afid: plan9.NOFID, Uname: "none", Aname: "dev"},
		{Type: plan9.Twalk, Fid: rootFid, Newfid: randomFid, Wname: []string{"random"}},
		{Type: plan9.Topen, Fid: randomFid, Mode: plan9.OREAD},
	} {
		if _, err := f.call(message); err != nil {
			return err
		}
	}
	return nil
}

// call sends a message and waits for its answer.
func (f *file9P) call(t *plan9.Fcall) (*plan9.Fcall, error) {
	if err := plan9.WriteFcall(f.conn, t); err != nil {
		return nil, err
	}
	r, err := plan9.ReadFcall(f.conn)
	switch {
	case err != nil:
		return nil, err
	case r.Type == plan9.Rerror:
		return nil, fmt.Errorf("9P: %s", r.Ename)
	case r.Type != t.Type+1 || r.Tag != t.Tag:
		return nil, fmt.Errorf("9P: %v does not answer %v", r, t)
	}
	return r, nil
}

// Read reads at most one message.
func (f *file9P) Read(b []byte) (int, error) {
	count := min(uint32(len(b)), f.msize-plan9.IOHDRSIZE)
	r, err := f.call(&plan9.Fcall{Type: plan9.Tread, Fid: randomFid, Count: count})
	switch {
	case err != nil:
		return 0, err
	case len(r.Data) == 0:
		return 0, io.EOF
	}
	return copy(b, r.Data), nil
}

func (f *file9P) Close() error { return f.conn.Close() }
