// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package ninep

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// chmodSocket sets the mode of a socket that has no name yet. If it can't, the Chmod of the name follows.
func chmodSocket(fd uintptr, mode fs.FileMode) { unix.Fchmod(int(fd), uint32(mode)) }
