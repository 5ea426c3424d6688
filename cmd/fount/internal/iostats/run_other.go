// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build !linux || !(amd64 || arm64 || riscv64)

package iostats

import (
	"context"
	"os/exec"
)

// Run fails: this system has no way to watch a program that this package knows.
func Run(context.Context, *exec.Cmd, []string) (Result, error) { return Result{}, ErrUnsupported }

// Child fails: no Run has called it.
func Child(string, []string) (status int) { return 1 }
