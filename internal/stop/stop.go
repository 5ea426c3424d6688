// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package stop ends the process if it could only go on with weak random bytes. It is not for errors
// that a caller could handle.
package stop

import "os"

// Now writes "fount: " and msg as one line to standard error and exits with status 2. It does not
// panic, because a recover, such as net/http's around every handler, would let the process go on
// without the bytes that it asked for. Deferred functions do not run. It may be called from any
// goroutine.
func Now(msg string) {
	os.Stderr.WriteString("fount: " + msg + "\n")
	os.Exit(2)
}
