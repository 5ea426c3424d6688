// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Fount makes random bytes, tokens and IDs, and measures what they cost on a machine. It is not the
// library: programs in Go import fount instead.
package main

import (
	"os"

	"fount/cmd/fount/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
