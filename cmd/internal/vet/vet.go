// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package vet finds predictable random values and unbounded password hashing in Go code. Its
// analyzers run in any driver of [golang.org/x/tools/go/analysis].
//
// The folder doc has a page for each analyzer: why it reports, an example, the fix with fount and
// with the standard library alone, and when it is wrong. No analyzer reports in _test.go files. A
// comment on the line of a finding, or alone on the line above it, silences the finding:
//
//	//fount:ignore modulobias the bias is below one in a million here
//
// A comment without a reason silences nothing.
package vet

import (
	"context"
	"embed"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

//go:embed doc/*.md
var pages embed.FS

// page returns the page of an analyzer. Its first line is "name: summary".
func page(name string) string {
	text, err := pages.ReadFile("doc/" + name + ".md")
	if err != nil {
		panic(err) // it is embedded above
	}
	return string(text)
}

// Analyzers returns all analyzers, sorted by name.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{BinaryRead, ClockSeed, ModuloBias, UnboundedHash}
}

// Lookup returns the analyzer called name, or nil.
func Lookup(name string) *analysis.Analyzer {
	all := Analyzers()
	if i := slices.IndexFunc(all, func(a *analysis.Analyzer) bool { return a.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// Summary returns in a few words what an analyzer looks for.
func Summary(a *analysis.Analyzer) string {
	first, _, _ := strings.Cut(a.Doc, "\n")
	return strings.TrimPrefix(first, a.Name+": ")
}

// IsToolCall reports whether a program with the arguments args was called by go vet as its tool.
// Then args ask for the version or the flags, or name a file that describes a package.
func IsToolCall(args []string) bool {
	if len(args) == 0 {
		return false
	}
	if len(args) == 1 && (args[0] == "-V=full" || args[0] == "-flags") {
		return true
	}

	isPackage := filepath.Base(args[len(args)-1]) == "vet.cfg"
	return isPackage && (len(args) == 1 || strings.HasPrefix(args[0], "-"))
}

// Tool answers a call of go vet, which it reads from [os.Args], and ends the process.
func Tool() { unitchecker.Main(Analyzers()...) }

// Run has go vet (Go 1.26 or later), which loads packages, passes on facts and caches results, run
// the analyzers: arguments are flags of go vet and patterns of packages, and tool is the absolute
// path of a program that calls Tool when IsToolCall. It returns an error if there are findings, or
// packages do not load or compile.
func Run(ctx context.Context, tool string, arguments []string, stdout, stderr io.Writer) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"vet", "-vettool=" + tool}, arguments...)...)
	cmd.Stdout = stdout
	cmd.Stderr = stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go vet: %w", err)
	}
	return nil
}
