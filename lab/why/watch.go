// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package why

// What Watch and Run hold for all systems.

import (
	"errors"
	"io"
	"time"
)

// ErrNotHere is the error of watching a process where that can't be done.
var ErrNotHere = errors.New("perf events are of Linux")

// samplePeriod is the CPU time between two samples of a thread: 499 a second, which keeps time with nothing that a program does
// each so many ms.
const samplePeriod = time.Second / 499

// A Command is a program to start and watch.
type Command struct {
	Program        []string // name and arguments
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}
