// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !unix

package daemon

import (
	"fmt"
	"io"
)

const demoHelp = ""

func demoCommand(_ []string, _, stderr io.Writer) int {
	fmt.Fprintln(stderr, "fountd: demo needs a Unix system")
	return 1
}
