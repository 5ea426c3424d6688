// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package entropy

import (
	"errors"
	"fmt"
	"runtime"
)

// systemDisk refuses everything: this system can't show that nobody else has read a
// file, or does not replace one whole. Nothing is done without the lock.
type systemDisk struct{ disk }

var errNoDisk = fmt.Errorf("%s can't keep it: only Linux, macOS and the BSDs have the permissions, the lock"+
	" and the renaming that it needs: %w", runtime.GOOS, errors.ErrUnsupported)

func (systemDisk) lock(string) (func(), error) { return nil, errNoDisk }
