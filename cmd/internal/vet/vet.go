// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package vet finds random values that can be predicted and password hashing without a bound. Its
// analyzers are those of [golang.org/x/tools/go/analysis], so any of its drivers runs them.
//
// Each has a page in doc: why it reports, an example, the fix with fount and with the standard
// library alone, and when it is wrong. None reports in _test.go files. A comment on the line of a
// finding, or alone on the line above it, silences the finding:
//
//	//fount:ignore modulobias the bias is below one in a million here
//
// A comment without a reason silences nothing.
package vet

import (
	"embed"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

//go:embed doc/*.md
var pages embed.FS

// page is the documentation of the analyzer of that name: its first line is "name: summary".
func page(name string) string {
	text, err := pages.ReadFile("doc/" + name + ".md")
	if err != nil {
		panic(err) // it is embedded above
	}
	return string(text)
}

// Analyzers returns all of them, in the order of their names.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{BinaryRead, ClockSeed, ModuloBias, UnboundedHash}
}

// Lookup returns the analyzer of that name, or nil.
func Lookup(name string) *analysis.Analyzer {
	all := Analyzers()
	if i := slices.IndexFunc(all, func(a *analysis.Analyzer) bool { return a.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// Summary is what an analyzer looks for, in a few words.
func Summary(a *analysis.Analyzer) string {
	first, _, _ := strings.Cut(a.Doc, "\n")
	return strings.TrimPrefix(first, a.Name+": ")
}

// IsToolCall reports whether args, the arguments of a program, are those with which go vet calls
// its tool: a question for the version or the flags, or a file that describes one package.
func IsToolCall(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return len(args) == 1 && (last == "-V=full" || last == "-flags") || filepath.Base(last) == "vet.cfg" && (len(args) == 1 || strings.HasPrefix(args[0], "-"))
}

// Tool answers such a call, which it reads from [os.Args], and ends the process.
func Tool() { unitchecker.Main(Analyzers()...) }
