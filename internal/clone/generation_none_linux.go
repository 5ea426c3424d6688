// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build purego || (!amd64 && !arm64)

package clone

import (
	"errors"
	"runtime"
)

// A generationMethod finds nothing in builds without the assembly that calls the vDSO.
type generationMethod struct{}

func (*generationMethod) find() (source, error) {
	return source{}, errors.New("not supported on " + runtime.GOARCH + ", or not with the build tag purego")
}
