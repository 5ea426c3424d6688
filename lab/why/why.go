// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package why finds out whether a program needs fount: what share of its CPU time makes random values and hashes
// passwords, on which lines, and what a change would save.
//
// ReadPprof reads a profile from a file, and Fetch asks a server that serves net/http/pprof for one. Of then finds the uses
// in it, Costs measures what they cost here, and Judge says what to do.
package why

import (
	"errors"
	"time"
)

// ErrEmpty is the error of a profile in which nothing ran.
var ErrEmpty = errors.New("it holds no sample: the program used no CPU time meanwhile")

// A Profile is where a program spent its CPU time.
type Profile struct {
	Program string        // name of the executable, or of the process
	Go      string        // "go"; "" if it is not a Go program
	Source  string        // what gathered it
	Elapsed time.Duration // how long it was watched; 0 where that is not known
	Stacks  []Stack
	Notes   []string // what this source can't tell

	Waits    []Wait
	Lateness *Lateness
}

// A Stack is one path to where the CPU was.
type Stack struct {
	Frames  []Frame // innermost first
	Seconds float64 // of CPU time
	Samples int64
}

// A Frame is one function in a Stack.
type Frame struct {
	Func string // with its package's path, as in runtime.Frame
	File string // "" where it is not known
	Line int
}

// A Wait is time that goroutines spent blocked.
type Wait struct {
	Family  string  `json:"family"`
	Call    string  `json:"call"`
	Site    Site    `json:"site"`
	Seconds float64 `json:"seconds"` // of all goroutines together
	Share   float64 `json:"share"`   // of all such waiting
	Kind    string  `json:"kind"`    // "mutex" or "block", after the profile that tells
}

// A Lateness says how long goroutines that could run did not.
type Lateness struct {
	Of    string  `json:"of"`    // what was late
	Count int64   `json:"count"` // observations
	P50MS float64 `json:"p50_ms"`
	P99MS float64 `json:"p99_ms"`
	MaxMS float64 `json:"max_ms"`
}

// A Site is a line of the program.
type Site struct {
	Func string `json:"func"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Own  bool   `json:"own"` // of the program's own module; else of a dependency or the standard library
}

// A Use is a call of something that makes random values or hashes passwords, at one line.
type Use struct {
	Family  string  `json:"family"`
	Call    string  `json:"call"`              // the function that the line calls, or what it ends in
	Through string  `json:"through,omitempty"` // what the line itself calls, in a dependency or the standard library
	Site    Site    `json:"site"`
	Samples int64   `json:"samples"`
	Seconds float64 `json:"cpu_seconds"`
	Share   float64 `json:"cpu_share"` // of the program's CPU time
	Low     float64 `json:"cpu_share_low"`
	High    float64 `json:"cpu_share_high"` // of the 95 % interval (Wilson), from the number of samples
	Drawing float64 `json:"drawing_share"`  // the part of Share in crypto/rand or below it
	Garbage float64 `json:"garbage_share"`  // of the program's CPU time, besides Share: the collector's, by the time that allocations take
	Locks   float64 `json:"lock_share"`     // the part of Share that waits for a lock

	PerSecond float64 `json:"per_s"` // draws, estimated: CPU time by the cost of one here; 0 where nothing tells
	PerLow    float64 `json:"per_s_low"`
	PerHigh   float64 `json:"per_s_high"`

	Advice string  `json:"advice"`
	Saves  float64 `json:"saves_share"` // of the program's CPU time
	Least  float64 `json:"saves_share_low"`
	Most   float64 `json:"saves_share_high"`
}

// A Report is what there is to say of a program. Names of JSON fields stay; fields may be added.
type Report struct {
	Program    string    `json:"program"`
	Go         string    `json:"go,omitempty"`
	Source     string    `json:"source"`
	Seconds    float64   `json:"seconds"` // watched; 0: not known
	CPUSeconds float64   `json:"cpu_seconds"`
	Samples    int64     `json:"samples"`
	equal      float64   // the samples, or as many of equal weight as tell so much (Kish, 1965)
	Cores      float64   `json:"cores_used"` // 0: not known
	Uses       []Use     `json:"uses"`       // the greatest share first
	Waits      []Wait    `json:"waits"`      // the longest first
	Lateness   *Lateness `json:"lateness"`   // null: nothing here tells
	Costs      *Costs    `json:"costs"`      // on this machine; null: nothing was to be judged by them
	Verdict    Verdict   `json:"verdict"`
	Notes      []string  `json:"notes"` // what is not known, and why
}

// A Verdict says what to do with this program.
type Verdict struct {
	Do        string   `json:"do"`          // "nothing", "replace", "pool", "both"
	Saves     float64  `json:"saves_share"` // of the program's CPU time
	Least     float64  `json:"saves_share_low"`
	Most      float64  `json:"saves_share_high"`
	Sentences []string `json:"sentences"`
}
