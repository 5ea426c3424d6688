// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !(fount_test && fount_look)

package shard

// look is called before each load of the generation: only there can a draw see that it has moved.
func look() {}

// kernelAlone leaves out of seeds all but the kernel's bytes.
const kernelAlone = false
