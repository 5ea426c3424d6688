// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package seeds

// One of the processes that start together.

import (
	"encoding/json"
	"io"
	"time"
)

// A said is what it says, in JSON: its seeds.
type said struct {
	Started int64 `json:"started"`          // when it had started
	Passed  int64 `json:"passed,omitempty"` // when the gate opened
}

// clockSeed is what the post seeds with.
func clockSeed() int64 { return time.Now().UnixNano() } //fount:ignore clockseed the post's way, which is tried

// Process does the work of one process: it seeds at once, and again when its standard input ends, which is the gate.
func Process(in io.Reader, out io.Writer) error {
	s := said{Started: clockSeed()}
	say := json.NewEncoder(out)
	if err := say.Encode(s); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		return err
	}
	s.Passed = clockSeed()
	return say.Encode(s)
}
