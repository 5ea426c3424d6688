// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package entropy

import (
	"errors"
	"fmt"
	"runtime"
)

// systemDisk's lock always fails, and nothing is done without it. This system can't show that
// nobody else has read a file, or can't replace one whole.
type systemDisk struct{ disk }

var errNoDisk = fmt.Errorf("not on %s: a seed file needs the permissions, locks and renaming of Linux, macOS or the BSDs: %w", runtime.GOOS, errors.ErrUnsupported)

func (systemDisk) lock(string) (func(), error) { return nil, errNoDisk }
