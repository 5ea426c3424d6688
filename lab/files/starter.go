// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// The process of one place, which starts the programs there.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// randomFile is what programs read on Plan 9.
const randomFile = "/dev/random"

// A site says where a starter is to be. It comes first on its standard input, in JSON.
type site struct {
	Place  string `json:"place"`
	Server string `json:"server"` // its name in /srv
	Dir    string `json:"dir"`    // empty, to mount the server's files on
}

// An order tells it to start a program. Orders follow.
type order struct {
	Command string `json:"command"`
	Procs   int    `json:"procs"`
	Iostats bool   `json:"iostats"` // under iostats(4) instead, and once
}

// An answer follows each of them.
type answer struct {
	TookMS float64 `json:"took_ms"`         // until the last process had ended
	Failed int     `json:"failed"`          // processes that ended with a status
	Why    string  `json:"why"`             // of one of them: its status, and the last line of standard error
	Served Drawn   `json:"served"`          // from fount's file meanwhile, to all processes
	Error  string  `json:"error,omitempty"` // why nothing was done

	Iostats   *Opened `json:"iostats"`    // what iostats(4) counted if it was asked to
	NoIostats string  `json:"no_iostats"` // why it did not
}

// Starter does the work of a place: it goes there and starts programs as it is told, until in ends.
func Starter(in io.Reader, out io.Writer) error {
	questions, answers := json.NewDecoder(in), json.NewEncoder(out)
	var s site
	if err := questions.Decode(&s); err != nil {
		return fmt.Errorf("a place: %w", err)
	}
	if err := s.enter(); err != nil {
		return answers.Encode(answer{Error: err.Error()})
	}
	if err := answers.Encode(answer{}); err != nil {
		return err
	}
	for {
		var o order
		switch err := questions.Decode(&o); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("an order: %w", err)
		}
		a, err := s.obey(o)
		if err != nil {
			a = answer{Error: err.Error()}
		}
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
}

func (s site) obey(o order) (a answer, err error) {
	if o.Iostats {
		if a.Iostats, err = o.watch(); err != nil {
			a.NoIostats = err.Error()
		}
		return a, nil
	}
	if s.Place == Device {
		f, err := os.Open(randomFile)
		if err == nil {
			err = errors.Join(drain(f, time.Now), f.Close())
		}
		if err != nil {
			return a, err
		}
		return o.start()
	}
	before, err := s.served()
	if err != nil {
		return a, err
	}
	if a, err = o.start(); err != nil {
		return a, err
	}
	after, err := s.served()
	a.Served = Drawn{after.Reads - before.Reads, after.Bytes - before.Bytes}
	return a, err
}

// What drain makes of a device whose ring holds 1023 bytes and gets one in 52 ms: a byte that took slow was waited for, and
// so many in a row mean that the ring is empty. A device without a ring is given up after twice its size.
const (
	slow   = 20 * time.Millisecond
	inARow = 3
)

// drain takes what the device holds.
func drain(device io.Reader, now func() time.Time) error {
	for taken, waited := 0, 0; waited < inARow && taken < 2*ringSize; taken++ {
		begin := now()
		if _, err := io.ReadFull(device, make([]byte, 1)); err != nil {
			return err
		}
		if waited++; now().Sub(begin) < slow {
			waited = 0
		}
	}
	return nil
}

// served is what fount's file has given since its server started.
func (s site) served() (Drawn, error) {
	text, err := os.ReadFile(filepath.Join(s.Dir, "stats"))
	if err != nil {
		return Drawn{}, err
	}
	return drawnOf(string(text), "start", "file", "random")
}

// drawnOf finds the line of stats with those words, after which come calls and bytes.
func drawnOf(stats string, words ...string) (d Drawn, err error) {
	for line := range strings.Lines(stats) {
		fields := strings.Fields(line)
		if len(fields) < len(words)+2 || strings.Join(fields[:len(words)], " ") != strings.Join(words, " ") {
			continue
		}
		d.Reads, err = strconv.ParseInt(fields[len(words)], 10, 64)
		if err == nil {
			d.Bytes, err = strconv.ParseInt(fields[len(words)+1], 10, 64)
		}
		return d, err
	}
	return d, fmt.Errorf("stats has no line %q", words)
}
