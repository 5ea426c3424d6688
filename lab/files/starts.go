// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package files

// Starts: whole programs on a real Plan 9, at its own device and behind fount's files.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fount/lab/measure"
)

// The places of the programs of Starts: which file /dev/random is in their name space.
const (
	Device = "device" // the kernel's, drained
	Union  = "union"  // that of fount's files, mounted before /dev (mount -b)
	Bind   = "bind"   // fount's, bound on the one name
)

// Places are all of them, in the order of measuring.
func Places() []string { return []string{Device, Union, Bind} }

// StartOptions are what can be chosen of Starts. The zero value of a field stands for its default.
type StartOptions struct {
	Programs []string // commands as rc(1) takes them (dd of 128 bytes of the random file)
	Procs    int      // of a program that start together (16)
	Count    int      // runs of each program at each place (5)

	Post     func(name string) error // serves the program's files at /srv/NAME from its return on
	Starter  []string                // the command that runs Starter
	Measure  func(place string) bool // whether to measure there; nil: everywhere
	Progress func(line string)       // told how far it is, by one goroutine; nil: nobody
}

// A StartResult is the whole of it. Names of fields stay; fields may be added.
type StartResult struct {
	Procs    int       `json:"procs"`              // that start together
	Count    int       `json:"count"`              // runs of each program at each place
	Seconds  float64   `json:"seconds"`            // that the whole took
	ServerS  float64   `json:"server_s,omitempty"` // until the name was in /srv, after the device gave 32 bytes
	Programs []Program `json:"programs"`           // in the order given
}

// A Program is what was measured of one.
type Program struct {
	Command string   `json:"command"`
	Starts  []Starts `json:"starts"`            // a place each
	Served  *Drawn   `json:"served,omitempty"`  // to one process, by fount's stats; nil if bind was not measured
	Iostats *Opened  `json:"iostats,omitempty"` // by one process at the device, as iostats(4) counts; nil if it was not measured

	NoIostats string `json:"no_iostats,omitempty"` // why iostats did not count at the device
}

// Starts are the runs of a program at one place.
type Starts struct {
	Place    string    `json:"place"`
	RunsMS   []float64 `json:"runs_ms"` // from the first start until all processes had ended, in order
	MedianMS float64   `json:"median_ms"`
	AsFast   float64   `json:"as_fast,omitempty"` // times as fast as at the device; 0: not known
	Failed   int       `json:"failed"`            // processes that ended with a status
	Why      string    `json:"why,omitempty"`     // of one of them: its status, and the last line of standard error
}

// Drawn is what was read of /dev/random.
type Drawn struct {
	Reads int64 `json:"reads"`
	Bytes int64 `json:"bytes"`
}

// Opened is that with how often it was opened.
type Opened struct {
	Opens int64 `json:"opens"`
	Drawn
}

func (o *StartOptions) setDefaults() error {
	if len(o.Programs) == 0 {
		o.Programs = []string{fmt.Sprintf("dd -if %s -bs %d -count 1 -of /dev/null", randomFile, DefaultBytes)}
	}
	for _, field := range []struct {
		at    *int
		value int
	}{{&o.Procs, DefaultProcs}, {&o.Count, DefaultCount}} {
		if *field.at == 0 {
			*field.at = field.value
		}
	}
	if o.Measure == nil {
		o.Measure = func(string) bool { return true }
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	for _, p := range o.Programs {
		if strings.TrimSpace(p) == "" {
			return errors.New("a program without a name")
		}
	}
	if o.Procs < 0 || o.Count < 0 {
		return fmt.Errorf("a number below 0 in %d processes, %d runs", o.Procs, o.Count)
	}
	return nil
}

// compare makes the medians, and the ratios to the device.
func (p *Program) compare() {
	device := 0.0
	for i := range p.Starts {
		s := &p.Starts[i]
		s.MedianMS = measure.Median(slices.Clone(s.RunsMS))
		if s.Place == Device {
			device = s.MedianMS
		} else if s.MedianMS > 0 {
			s.AsFast = device / s.MedianMS
		}
	}
}
