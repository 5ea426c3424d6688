// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux && !freebsd

package machine

// getrandom(2) where there is none.

import (
	"errors"
	"fmt"
	"runtime"
)

// RawGetrandom always fails: this system has no such system call, or does not let programs make it themselves.
func RawGetrandom([]byte) error {
	return fmt.Errorf("getrandom on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}

// Getrandom always fails, like RawGetrandom.
func Getrandom(b []byte) error { return RawGetrandom(b) }
