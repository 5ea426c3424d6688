// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"go/ast"
	"go/types"
	"go/version"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// ClockSeed reports generators that are seeded with the time or a process ID.
var ClockSeed = &analysis.Analyzer{Name: "clockseed", Doc: page("clockseed"), Run: runClockSeed}

func runClockSeed(pass *analysis.Pass) (any, error) {
	if !importsAny(pass, weakPackages...) {
		return nil, nil
	}
	r := newReporter(pass)
	clock, entropy := newFlow(pass, isClock, noFill), newFlow(pass, isEntropy, filled)
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if ok && seeds(callee(pass.TypesInfo, call)) &&
				slices.ContainsFunc(call.Args, clock.from) && !slices.ContainsFunc(call.Args, entropy.from) {
				r.report(call, "the seed is taken from the clock: processes started together draw the same values, and anyone who "+
					"knows the start can compute them", seedFixes(pass, call)...)
			}
			return true
		})
	}
	return nil, nil
}

// isClock reports whether a call returns what others can guess: the time, or a process ID.
func isClock(info *types.Info, call *ast.CallExpr) bool {
	switch f := callee(info, call); packagePath(f) {
	case "time":
		return f.Name() == "Now" || f.Name() == "Since"
	case "os", "syscall", "golang.org/x/sys/unix":
		return f.Name() == "Getpid" || f.Name() == "Getppid"
	}
	return false
}

func noFill(*types.Info, *ast.CallExpr) ast.Expr { return nil }

// isEntropy reports whether a call returns bytes of the kernel or what they seeded.
func isEntropy(info *types.Info, call *ast.CallExpr) bool {
	return slices.Contains([]string{"crypto/rand", "hash/maphash", library}, packagePath(callee(info, call))) ||
		slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return isCryptoReader(info, e) })
}

// seeds reports whether f seeds a weak generator.
func seeds(f *types.Func) bool {
	return slices.Contains(weakPackages, packagePath(f)) &&
		slices.Contains([]string{"NewSource", "Seed", "NewPCG", "NewChaCha8"}, f.Name())
}

// seedFixes seed with the functions of the same package, which the kernel seeds since Go 1.20.
func seedFixes(pass *analysis.Pass, call *ast.CallExpr) []analysis.SuggestedFix {
	file := fileOf(pass, call)
	if file == nil || version.Compare(pass.TypesInfo.FileVersions[file], "go1.20") < 0 {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !readsClock(pass.TypesInfo, e) }) {
		return nil
	}
	f := callee(pass.TypesInfo, call)
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
			pure = pure && (packagePath(callee(info, n)) == "time" || isClock(info, n) || isConversion(info, n))
		case *ast.Ident:
			_, isVar := info.ObjectOf(n).(*types.Var)
			pure = pure && !isVar
		}
		return pure
	})
	return pure
}
