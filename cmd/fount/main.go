// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Fount makes random values and password hashes, and measures what they cost on this machine.
// Programs in Go import package fount instead.
package main

import (
	"os"

	"fount/cmd/fount/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
