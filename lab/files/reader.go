// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// One process of a race: it gets ready, waits at the gate, opens its source, reads, and says when.

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"fount"
)

// The ways to a source.
const (
	wayInProcess = "in-process" // no address
	wayFile      = "file"       // the address is a file name
	way9P        = "9p"         // the network and address are net.Dial's
)

// A task says what a process does behind the gate.
type task struct {
	Way     string
	Network string // of the address, for 9P
	Address string
	Bytes   int // to read
}

// clock is the time in ns that all processes share. Setting it spoils the run's figures.
func clock() int64 { return time.Now().UnixNano() }

// A said is what a process tells. Times are clock's.
type said struct {
	Ready  int64  // first: it waits at the gate
	Passed int64  // then: the gate opened
	Had    int64  // and it had its bytes
	Error  string // or why it does not have them
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
		s.Error = err.Error()
	} else {
		s.Had = clock()
	}
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
	switch t.Way {
	case wayInProcess:
		return io.NopCloser(fount.Reader), nil
	case wayFile:
		return os.Open(t.Address)
	case way9P:
		return open9P(t.Network, t.Address)
	}
	return nil, fmt.Errorf("way %q is not known", t.Way)
}
