// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build plan9 || js

package top

import (
	"errors"
	"os"
)

// HasScreen tells that Show has none: Bubble Tea does not build for these systems.
const HasScreen = false

// ErrInterrupted is Show's error on other systems.
var ErrInterrupted = errors.New("interrupted")

// Show fails.
func (v *View) Show(in, out *os.File, count int) error { return errors.ErrUnsupported }
