// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package clone

import "errors"

// rungs is the ladder where no word is known.
func rungs() []rung {
	return []rung{{mode: modeKernel, try: func() (source, error) {
		return source{}, errors.New("not supported on this operating system")
	}}}
}
