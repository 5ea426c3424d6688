// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux

package ninep

import "io/fs"

// chmodSocket does nothing where the name does not take the mode of the socket.
func chmodSocket(uintptr, fs.FileMode) {}
