// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
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
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !seeds(callee(pass.TypesInfo, call)) {
				return true
			}
			if seed := values.any(call.Args); seed.clock && seed.kernel < enoughBits {
				r.report(call, "the seed is taken from the clock: processes started together draw the same values, and anyone who "+
					"knows the start can compute them", seedFixes(values, pass, call)...)
			}
			return true
		})
	}
	return nil, nil
}

// seeds reports whether f seeds a weak generator.
func seeds(f *types.Func) bool {
	return slices.Contains(weakPackages, packagePath(f)) &&
		slices.Contains([]string{"NewSource", "Seed", "NewPCG", "NewChaCha8"}, f.Name())
}

// seedFixes seed with the functions of the same package, which the kernel seeds since Go 1.20.
func seedFixes(values *flow, pass *analysis.Pass, call *ast.CallExpr) []analysis.SuggestedFix {
	f := callee(pass.TypesInfo, call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !values.kernelSeeds(f) || slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !readsClock(pass.TypesInfo, e) }) {
		return nil
	}
	path, name := packagePath(f), source(pass.Fset, sel.X)
	edit := func(message, text string) []analysis.SuggestedFix {
		return []analysis.SuggestedFix{fix(message, call.Args[0].Pos(), call.Args[len(call.Args)-1].End(), text)}
	}
	switch {
	case path == "math/rand" && f.Name() == "NewSource":
		return edit("Seed from math/rand's functions, which the kernel seeds", name+".Int63()")
	case path == "math/rand/v2" && f.Name() == "NewPCG":
		return edit("Seed from math/rand/v2's functions, which the kernel seeds", name+".Uint64(), "+name+".Uint64()")
	}
	return nil
}

// readsClock reports whether an expression only reads the clock and computes: it may go.
func readsClock(info *types.Info, e ast.Expr) bool {
	pure := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			pure = pure && (packagePath(callee(info, n)) == "time" || isClock(callee(info, n)) || isConversion(info, n))
		case *ast.Ident:
			_, isVar := info.ObjectOf(n).(*types.Var)
			pure = pure && !isVar
		}
		return pure
	})
	return pure
}
