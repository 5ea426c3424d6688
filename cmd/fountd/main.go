// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Fountd hashes and verifies passwords for programs in any language, over HTTP. docs/fountd.md says
// how to run it.
package main

import (
	"os"

	"fount/cmd/fountd/internal/daemon"
)

func main() { os.Exit(daemon.Main(os.Args[1:], os.Stdout, os.Stderr)) }
