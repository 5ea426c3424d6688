// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

// Package cputime measures the CPU time of a computation, whatever else the machine does.
package cputime

import (
	"math"
	"time"
)

var start = time.Now()

// Thread returns the time since the program's start, because x/sys has no clock of threads that all
// systems share.
func Thread() time.Duration { return time.Since(start) }

// Waited returns NaN: this system does not tell how long threads wait for a core.
func Waited() float64 { return math.NaN() }
