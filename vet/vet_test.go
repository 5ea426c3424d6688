// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// Each analyzer has a package in testdata of what it reports and of what looks alike, and is right.
func TestAnalyzers(t *testing.T) {
	for _, a := range Analyzers() {
		t.Run(a.Name, func(t *testing.T) {
			run := analysistest.Run
			if golden, _ := filepath.Glob(filepath.Join("testdata", "src", a.Name, "*.golden")); len(golden) > 0 {
				run = analysistest.RunWithSuggestedFixes
			}
			run(t, analysistest.TestData(), a, a.Name)
		})
	}
}
