// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package machine

import (
	"errors"
	"fmt"
)

// RawGetrandom always fails: only Linux is asked by its system call.
func RawGetrandom([]byte) error {
	return fmt.Errorf("getrandom on %s: %w", OSName(), errors.ErrUnsupported)
}

// Getrandom always fails, like RawGetrandom.
func Getrandom(b []byte) error { return RawGetrandom(b) }
