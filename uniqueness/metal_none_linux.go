// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !amd64 && !386

package uniqueness

import (
	"errors"
	"runtime"
)

// findMetal: only the x86 has a flag that hypervisors must set.
func findMetal() (source, error) {
	return source{}, errors.New(runtime.GOARCH + " has no CPU flag that tells a guest from bare metal")
}
