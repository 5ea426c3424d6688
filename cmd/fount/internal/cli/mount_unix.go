// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What ends a mount, on Unix.

//go:build unix

package cli

import (
	"os"
	"syscall"
)

// endSignals end what runs until it is told to end.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
