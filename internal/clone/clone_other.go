// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package clone

import "errors"

// methods returns the ways to find a counter: none is known here.
func methods() []method {
	return []method{{mode: modeKernel, try: func() (source, error) {
		return source{}, errors.New("not supported on this operating system")
	}}}
}
