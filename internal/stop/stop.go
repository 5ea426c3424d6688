// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package stop ends the process when going on would mean weak random bytes.
// It is not for errors a caller could handle: nothing returns from it.
package stop

import "os"

// Now writes "fount: " and msg as one line to standard error and exits with
// status 2. It is no panic, because a recover (net/http has one around every
// handler) would let the process go on without the bytes it asked for.
// Deferred functions do not run. It may be called from any goroutine.
func Now(msg string) {
	os.Stderr.WriteString("fount: " + msg + "\n")
	os.Exit(2)
}
