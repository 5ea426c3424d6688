// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package filebench

// One process of a race: it gets ready, waits at the gate, opens its source, reads, and says when.

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"fount"
)

// The ways to a source.
const (
	wayInProcess = "in-process" // no address
	wayFile      = "file"       // the address is a file name
	way9P        = "9p"         // the address is ninep.Listen's
)

// A task is what a process does behind the gate.
type task struct {
	way, address string
	bytes, piece int // read so many, at most piece at a time
}

// args are the task as arguments of the program.
func (t task) args() []string {
	return []string{t.way, t.address, strconv.Itoa(t.bytes), strconv.Itoa(t.piece)}
}

func parseTask(args []string) (t task, err error) {
	if len(args) != 4 {
		return t, fmt.Errorf("%d arguments, want WAY ADDRESS BYTES PIECE", len(args))
	}
	t.way, t.address = args[0], args[1]
	if t.bytes, err = strconv.Atoi(args[2]); err != nil || t.bytes < 1 {
		return t, fmt.Errorf("%q is not a number of bytes", args[2])
	}
	if t.piece, err = strconv.Atoi(args[3]); err != nil || t.piece < 1 {
		return t, fmt.Errorf("%q is not a number of bytes", args[3])
	}
	return t, nil
}

// A said is a line of a process's standard output. Times are clock's.
type said struct {
	Ready  int64  `json:"ready,omitempty"`  // the first line: it waits at the gate
	Passed int64  `json:"passed,omitempty"` // the second: the gate opened
	Had    int64  `json:"had,omitempty"`    // and it had its bytes
	Error  string `json:"error,omitempty"`  // or has not, and why
}

// Reader is what a process of the experiment does: the hidden command that the program runs itself by. gate is at its
// end when the gate opens; one byte opens it for one process. The outcome goes to out, one JSON object a line.
func Reader(args []string, gate io.Reader, out io.Writer) error {
	t, err := parseTask(args)
	if err != nil {
		return err
	}
	b := make([]byte, min(t.bytes, t.piece))
	say := json.NewEncoder(out)
	if err := say.Encode(said{Ready: clock()}); err != nil {
		return err
	}
	if _, err := gate.Read(make([]byte, 1)); err != nil && err != io.EOF {
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
	for left := t.bytes; left > 0; {
		n, err := io.ReadFull(r, b[:min(left, len(b))])
		if left -= n; err != nil {
			return fmt.Errorf("%d of %d bytes: %w", t.bytes-left, t.bytes, err)
		}
	}
	return nil
}

func (t task) open() (io.ReadCloser, error) {
	switch t.way {
	case wayInProcess:
		return io.NopCloser(fount.Reader), nil
	case wayFile:
		return os.Open(t.address)
	case way9P:
		return open9P(t.address)
	}
	return nil, fmt.Errorf("way %q is not known; use %s, %s or %s", t.way, wayInProcess, wayFile, way9P)
}
