// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build unix

// Command stream writes random bytes to its standard output, for a program that judges them: those of
// fount's states, or those of a control that is known to be good or bad. It is not a source for any other
// use. At the end it says on standard error, in one line of JSON, what was in force.
//
//	FOUNT_NUMA_NODES=4 go run ./test/statistics/stream -n 2500004 interleaved >sample
//
// main.go writes, states.go has fount's streams, controls.go the others.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"syscall"

	"fount"
	"fount/pool"
)

// A fill fills b with a stream's next bytes.
type fill func(b []byte)

// A stream is what can be asked for.
type stream struct {
	name, what string
	open       func(attempt uint64, e *evidence) (fill, error)
}

func streams() []stream { return append(states(), controls()...) }

func main() {
	limit := flag.Int64("n", math.MaxInt64, "`bytes` to write; without it the stream ends when its reader does")
	attempt := flag.Uint64("attempt", 0, "of a control, which else is the same in every run: the `number` of its bytes")
	flag.Usage = usage
	flag.Parse()
	for _, s := range streams() {
		if flag.NArg() == 1 && s.name == flag.Arg(0) && *limit >= 0 {
			// Else the reader's end would be the program's, before the last line.
			signal.Ignore(syscall.SIGPIPE)
			if err := s.write(*limit, *attempt); err != nil {
				fmt.Fprintln(os.Stderr, "stream:", err)
				os.Exit(1)
			}
			return
		}
	}
	usage()
	os.Exit(2)
}

func usage() {
	w := flag.CommandLine.Output()
	fmt.Fprintln(w, "usage: stream [-n bytes] [-attempt number] STREAM, where STREAM is one of")
	for _, s := range streams() {
		fmt.Fprintf(w, "  %-12s %s\n", s.name, s.what)
	}
}

// bufferSize is what is written at a time: 1024 turns of four shards.
const bufferSize = 1024 * shards * turn

func (s stream) write(limit int64, attempt uint64) error {
	e := &evidence{Stream: s.name}
	next, err := s.open(attempt, e)
	if err != nil {
		return err
	}
	b := make([]byte, bufferSize)
	for e.Bytes < limit {
		next(b)
		n, err := os.Stdout.Write(b[:min(limit-e.Bytes, bufferSize)])
		e.Bytes += int64(n)
		if errors.Is(err, syscall.EPIPE) {
			break
		}
		if err != nil {
			return err
		}
	}
	e.end()
	return json.NewEncoder(os.Stderr).Encode(e)
}

// evidence is the last line.
type evidence struct {
	Stream   string   `json:"stream"`
	Bytes    int64    `json:"bytes"`
	Mode     string   `json:"mode"`
	Cipher   string   `json:"cipher"`
	States   int      `json:"states"`   // in use
	Reseeds  uint64   `json:"reseeds"`  // of these
	Topology string   `json:"topology"` // "synthetic" or "sysfs" or "one node"
	Draws    []uint64 `json:"draws"`    // of each node
}

func (e *evidence) nodes() []pool.NodeReport { return pool.Status().Nodes }

// draws is how often each node has been drawn on.
func (e *evidence) draws() (list []uint64) {
	for _, n := range e.nodes() {
		list = append(list, n.Draws)
	}
	return list
}

func (e *evidence) end() {
	fs, ps := fount.Status(), pool.Status()
	e.Mode, e.Cipher, e.States, e.Reseeds = fs.Mode, fs.Cipher, fs.Shards, fs.Reseeds
	e.Topology, e.Draws = ps.Topology, e.draws()
}

// settle finds the uniqueness word and makes the nodes' keys.
func settle() {
	fount.Uint64()
}
