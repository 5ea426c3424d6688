// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"fmt"
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
		all.Requires = append(all.Requires, a.Requires...)
		all.FactTypes = append(all.FactTypes, a.FactTypes...)
	}
	reported := make(map[string]bool)
	for _, result := range analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), all, names...) {
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
