// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

// Package cputime measures what a computation costs, whatever else the machine does.
package cputime

import (
	"math"
	"time"
)

var start = time.Now()

// Thread returns the time since the program's start, for x/sys has no common clock of threads.
func Thread() time.Duration { return time.Since(start) }

// Waited returns NaN: this system does not tell how long threads wait for a core.
func Waited() float64 { return math.NaN() }
