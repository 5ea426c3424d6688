// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// Each analyzer has a package in testdata of what it reports and of what is right. All run as one,
// and on the packages of wired too: the standard library is type-checked once, and none reports
// what another's package has.
func TestAnalyzers(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // collections took a fifth of the time
	all := &analysis.Analyzer{Name: "all", Doc: "runs all analyzers", Run: runAll}
	var names []string
	for _, a := range Analyzers() {
		names = append(names, a.Name)
		all.FactTypes = append(all.FactTypes, a.FactTypes...)
	}

	found := make(map[string][]string) // by package
	packages := append(names, "wired/api", "wired/users", "wired/app", "wired/main")
	for _, result := range analysistest.Run(findings{t}, analysistest.TestData(), all, packages...) {
		of := result.Action.Package
		for _, d := range result.Diagnostics {
			at := of.Fset.Position(d.Pos)
			text := fmt.Sprintf("%s:%d:%d: %s", filepath.Base(at.Filename), at.Line, at.Column, d.Message)
			found[of.PkgPath] = append(found[of.PkgPath], text)
		}
	}

	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			if len(found[name]) == 0 {
				t.Error("nothing is reported")
			}
		})
	}

	// wired/app is the first package that imports both a handler and what is behind its interface.
	t.Run("a handler whose interface hashes", func(t *testing.T) {
		const want = "api.go:22:2: bcrypt, behind wired/api.Accounts.SignIn, runs in a handler without a bound"
		if got := found["wired/app"]; len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("reported is %q, want %q", got, want)
		}
	})

	t.Run("and is reported once", func(t *testing.T) {
		for _, path := range []string{"wired/api", "wired/users", "wired/main"} {
			if len(found[path]) > 0 {
				t.Errorf("%s reports %q", path, found[path])
			}
		}
	})
}

// findings is a test of what is reported, and not of what analyzers note of functions; nor does a
// comment in wired's handler want what another package reports there.
type findings struct{ *testing.T }

func (t findings) Errorf(format string, args ...any) {
	t.Helper()
	text := fmt.Sprintf(format, args...)
	if !strings.Contains(text, "unexpected fact") && !strings.Contains(text, "wired") {
		t.Error(text)
	}
}

// runAll runs each analyzer under its own name, which comments that silence it have. It runs none on
// the standard library, of which no case needs a fact: that takes half of the test's time.
func runAll(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		if name := pass.Fset.File(file.Pos()).Name(); !strings.HasPrefix(name, analysistest.TestData()) {
			return nil, nil
		}
	}
	for _, a := range Analyzers() {
		own := *pass
		own.Analyzer = a
		if _, err := a.Run(&own); err != nil {
			return nil, fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	return nil, nil
}
