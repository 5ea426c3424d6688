// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Modzip writes a module's zip to stdout. It holds what the go command would take out of the
// repository, so that its sum is the one that go.sum must have.
//
//	modzip REPOSITORY REVISION SUBDIRECTORY MODULE VERSION
package main

import (
	"fmt"
	"os"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	if len(os.Args) != 6 {
		fmt.Fprintln(os.Stderr, "usage: modzip REPOSITORY REVISION SUBDIRECTORY MODULE VERSION")
		os.Exit(2)
	}
	m := module.Version{Path: os.Args[4], Version: os.Args[5]}
	if err := zip.CreateFromVCS(os.Stdout, m, os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "modzip:", err)
		os.Exit(1)
	}
}
