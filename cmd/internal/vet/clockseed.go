// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// ClockSeed reports generators that are seeded with the time or a process ID.
var ClockSeed = &analysis.Analyzer{Name: "clockseed", Doc: page("clockseed"), Run: runClockSeed}

// A seed with that many random bits is not reported, whatever else it holds: math/rand's NewSource
// keeps no more of it.
const enoughBits = 31

func runClockSeed(pass *analysis.Pass) (any, error) {
	if !importsAny(pass, weakPackages...) {
		return nil, nil
	}

	r := newReporter(pass)
	values := newFlow(pass)
	for call := range inspector.All[*ast.CallExpr](inspector.New(pass.Files)) {
		if !seeds(callee(pass.TypesInfo, call)) {
			continue
		}
		if seed := values.anyOf(call.Args); seed.clock && seed.kernel < enoughBits {
			r.report(call, "the seed is taken from the clock: processes started together draw the same values, and anyone who "+
				"knows the start can compute them")
		}
	}
	return nil, nil
}

// seeds reports whether f seeds a weak generator.
func seeds(f *types.Func) bool {
	return slices.Contains(weakPackages, packagePath(f)) &&
		slices.Contains([]string{"NewSource", "Seed", "NewPCG", "NewChaCha8"}, f.Name())
}
