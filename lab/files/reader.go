// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// One process of a race: it gets ready, waits at the gate, opens its source, reads, and says when.

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"fount"
)

// The ways to a source.
const (
	wayInProcess = "in-process" // no address
	wayFile      = "file"       // the address is a file name
	way9P        = "9p"         // the network and address are net.Dial's
)

// A task says what a process does behind the gate. It comes first on standard input, in JSON.
type task struct {
	Way     string `json:"way"`
	Network string `json:"network,omitempty"` // of the address, for 9P
	Address string `json:"address,omitempty"`
	Bytes   int    `json:"bytes"` // to read
	Piece   int    `json:"piece"` // most bytes at a time
}

func (t task) check() error {
	if t.Bytes < 1 || t.Piece < 1 {
		return fmt.Errorf("%d bytes, %d at a time; want at least 1", t.Bytes, t.Piece)
	}
	return nil
}

// A said is a line of a process's standard output. Times are clock's.
type said struct {
	Ready  int64  `json:"ready,omitempty"`  // the first line: it waits at the gate
	Passed int64  `json:"passed,omitempty"` // the second: the gate opened
	Had    int64  `json:"had,omitempty"`    // and it had its bytes
	Error  string `json:"error,omitempty"`  // or why it does not have them
}

// Reader does the work of a process of the experiment. It takes its task from in, whose end opens the gate, and writes
// the outcome to out, one JSON object a line.
func Reader(in io.Reader, out io.Writer) error {
	var t task
	if err := json.NewDecoder(in).Decode(&t); err != nil {
		return fmt.Errorf("a task: %w", err)
	}
	return t.read(in, out)
}

// read gets ready, waits for the end of gate, and reads.
func (t task) read(gate io.Reader, out io.Writer) error {
	if err := t.check(); err != nil {
		return fmt.Errorf("a task: %w", err)
	}
	b := make([]byte, min(t.Bytes, t.Piece))
	say := json.NewEncoder(out)
	if err := say.Encode(said{Ready: clock()}); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, gate); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	s := said{Passed: clock()}
	if err := t.do(b); err != nil {
		s.Error = err.Error()
	} else {
		s.Had = clock()
	}
	return say.Encode(s)
}

// do opens the source and reads, into b again and again.
func (t task) do(b []byte) error {
	r, err := t.open()
	if err != nil {
		return err
	}
	defer r.Close()
	for left := t.Bytes; left > 0; {
		n, err := io.ReadFull(r, b[:min(left, len(b))])
		if left -= n; err != nil {
			return fmt.Errorf("%d of %d bytes: %w", t.Bytes-left, t.Bytes, err)
		}
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
	return nil, fmt.Errorf("way %q is not known; use %s, %s or %s", t.Way, wayInProcess, wayFile, way9P)
}
