// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// Each analyzer has a package in testdata of what it reports and of what is right. All run as one:
// the standard library is type-checked once, and none reports what another's package has.
func TestAnalyzers(t *testing.T) {
	all := &analysis.Analyzer{Name: "all", Doc: "runs all analyzers", Run: runAll}
	var names []string
	for _, a := range Analyzers() {
		names = append(names, a.Name)
		all.FactTypes = append(all.FactTypes, a.FactTypes...)
	}
	reported := make(map[string]bool)
	for _, result := range analysistest.Run(findings{t}, analysistest.TestData(), all, names...) {
		if len(result.Diagnostics) > 0 {
			reported[result.Action.Package.PkgPath] = true
		}
	}
	for _, name := range names {
		if !reported[name] {
			t.Errorf("nothing is reported in %s", name)
		}
	}
}

// findings is a test of what is reported, and not of what analyzers note of functions.
type findings struct{ *testing.T }

func (t findings) Errorf(format string, args ...any) {
	t.Helper()
	if text := fmt.Sprintf(format, args...); !strings.Contains(text, "unexpected fact") {
		t.Error(text)
	}
}

// runAll runs each analyzer under its own name, which comments that silence it have.
func runAll(pass *analysis.Pass) (any, error) {
	for _, a := range Analyzers() {
		own := *pass
		own.Analyzer = a
		if _, err := a.Run(&own); err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	return nil, nil
}

// The package that puts a handler and what is behind its interface together reports, where the
// handler is, and what imports that package does not report it again.
func TestWired(t *testing.T) {
	var unexpected lines // no comment in the handler's file wants what another package reports
	for _, result := range analysistest.Run(&unexpected, analysistest.TestData(), UnboundedHash, "wired/api", "wired/users", "wired/app", "wired/main") {
		path := result.Action.Package.PkgPath
		var found []string
		for _, d := range result.Diagnostics {
			at := result.Action.Package.Fset.Position(d.Pos)
			found = append(found, fmt.Sprintf("%s:%d:%d: %s", filepath.Base(at.Filename), at.Line, at.Column, d.Message))
		}
		if path != "wired/app" {
			if len(found) > 0 {
				t.Errorf("%s reports %q", path, found)
			}
			continue
		}
		want := "api.go:22:2: bcrypt, behind wired/api.Accounts.SignIn, runs in a handler without a bound"
		if len(found) != 1 || !strings.HasPrefix(found[0], want) {
			t.Errorf("%s reports %q, want %q", path, found, want)
		}
	}
}

type lines []string

func (l *lines) Errorf(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }
