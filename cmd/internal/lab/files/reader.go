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

// A task says what a process does behind the gate.
type task struct {
	NineP string // the address of a server
	File  string // or else a file's name; if both are empty, it reads in the process
	Bytes int
}

// clock is the time in ns that all processes share. Setting it spoils the run's figures.
func clock() int64 { return time.Now().UnixNano() }

// times are told by a process: first that it is ready, then all. They are of clock.
type times struct {
	Ready  int64 // first: it waits at the gate
	Passed int64 // then: the gate opened
	Had    int64 // and it had its bytes
}

// read does the work of a process: it takes its task, waits for the gate to open, and reads.
func (s Servers) read(in *json.Decoder, out *json.Encoder) error {
	var t task
	if err := in.Decode(&t); err != nil {
		return fmt.Errorf("a task: %w", err)
	}

	b := make([]byte, t.Bytes)
	at := times{Ready: clock()}
	if err := out.Encode(at); err != nil {
		return err
	}

	var open bool
	if err := in.Decode(&open); err != nil {
		return fmt.Errorf("gate: %w", err)
	}

	at.Passed = clock()
	if err := t.do(s, b); err != nil {
		return err
	}
	at.Had = clock()
	return out.Encode(at)
}

// do opens the source and fills b.
func (t task) do(s Servers, b []byte) error {
	r, err := t.open(s)
	if err != nil {
		return err
	}
	defer r.Close()

	if n, err := io.ReadFull(r, b); err != nil {
		return fmt.Errorf("%d of %d bytes: %w", n, len(b), err)
	}
	return nil
}

func (t task) open(s Servers) (io.ReadCloser, error) {
	switch {
	case t.NineP != "":
		return s.Open9P(t.NineP)
	case t.File != "":
		return os.Open(t.File)
	}
	return io.NopCloser(fount.Reader), nil
}
