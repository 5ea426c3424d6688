// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The protocol of go vet -vettool.

package vet

import (
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"
)

// IsToolCall reports whether args, the arguments of a program, are those with which go vet calls its tool: a question for
// the version or the flags, or a file that describes one package.
func IsToolCall(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	alone := len(args) == 1
	return alone && (last == "-V=full" || last == "-flags") || filepath.Base(last) == "vet.cfg" && (alone || strings.HasPrefix(args[0], "-"))
}

// Tool answers such a call, which it reads from [os.Args], and ends the process.
func Tool() { unitchecker.Main(Analyzers()...) }
