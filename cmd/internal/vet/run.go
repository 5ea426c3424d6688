// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"context"
	"fmt"
	"io"
	"os/exec"
)

// Run has go vet (Go 1.26 or later), which loads packages, passes on facts and caches results, run
// the analyzers: arguments are flags of go vet and patterns of packages, and tool is the absolute path
// of a program that calls Tool when IsToolCall. It returns an error if there are findings, or packages
// do not load or compile.
func Run(ctx context.Context, tool string, arguments []string, stdout, stderr io.Writer) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"vet", "-vettool=" + tool}, arguments...)...)
	cmd.Stdout = stdout
	cmd.Stderr = stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go vet: %w", err)
	}
	return nil
}
