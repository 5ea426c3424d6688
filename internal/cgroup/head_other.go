// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package cgroup

import "io/fs"

// readHead finds nothing: other systems have no such files.
func readHead(string, []byte) (int, error) { return 0, fs.ErrNotExist }
