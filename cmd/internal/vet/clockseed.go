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
	clock := newFlow(pass, func(call *ast.CallExpr) bool { return isClock(callee(pass.TypesInfo, call)) }, noFill)
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				reportSeed(r, clock, call)
			}
			return true
		})
	}
	return nil, nil
}

// isClock reports whether f returns what others can guess: the time, or the number of a process.
func isClock(f *types.Func) bool {
	switch packagePath(f) {
	case "time":
		return f.Name() == "Now" || f.Name() == "Since"
	case "os", "syscall", "golang.org/x/sys/unix":
		return f.Name() == "Getpid" || f.Name() == "Getppid"
	}
	return false
}

func noFill(*ast.CallExpr) ast.Expr { return nil }

// reportSeed reports a call that seeds from the clock.
func reportSeed(r *reporter, clock *flow, call *ast.CallExpr) {
	info := r.pass.TypesInfo
	f := callee(info, call)
	if f == nil || !slices.Contains(weakPackages, packagePath(f)) || !slices.Contains([]string{"NewSource", "Seed", "NewPCG", "NewChaCha8"}, f.Name()) {
		return
	}
	if !slices.ContainsFunc(call.Args, clock.from) || slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return hasEntropy(info, e) }) {
		return
	}
	r.report(call, "the seed is taken from the clock: processes started together draw the same values, and anyone who knows the "+
		"start can compute them", seedFixes(r.pass, call, f)...)
}

// hasEntropy reports whether an expression mixes in bytes of the kernel or a seeded hash.
func hasEntropy(info *types.Info, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch packagePath(info.ObjectOf(id)) {
			case "crypto/rand", "hash/maphash", library:
				found = true
			}
		}
		return !found
	})
	return found
}

// seedFixes seed with the functions of the same package, which the kernel seeds since Go 1.20.
func seedFixes(pass *analysis.Pass, call *ast.CallExpr, f *types.Func) []analysis.SuggestedFix {
	file := fileOf(pass, call)
	if file == nil || version.Compare(pass.TypesInfo.FileVersions[file], "go1.20") < 0 {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !readsClock(pass.TypesInfo, e) }) {
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
		if id, ok := n.(*ast.Ident); ok {
			switch obj := info.ObjectOf(id).(type) {
			case *types.PkgName, *types.TypeName, *types.Const:
			case *types.Func:
				pure = pure && (packagePath(obj) == "time" || isClock(obj))
			default:
				pure = false
			}
		}
		return pure
	})
	return pure
}
