// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Fountdb is the program fount with drivers of databases, for fount password survey --database. It is a module of its
// own, as the drivers take time to build and SQLite's is not for Plan 9 and js, for which fount is.
package main

import (
	"os"

	"fount/cmd/fount/internal/cli"
)

func main() {
	cli.Database = readColumn
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
