// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build plan9 || js

package top

// Bubble Tea does not build for these systems: they get plain lines.

import (
	"context"
	"errors"
	"os"
	"time"

	"fount/lab/show"
)

// HasScreen tells that Show has one on this system.
const HasScreen = false

// A Screen is what Show needs.
type Screen struct {
	In, Out  *os.File
	Next     func(context.Context) Frame
	Interval time.Duration
	Count    int
	Style    show.Style
	Color    bool
}

// Show fails: there is no screen.
func (s Screen) Show(first Frame) (Frame, error) { return first, errors.ErrUnsupported }
