// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math/bits"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// ModuloBias reports remainders of random values that favour some results.
var ModuloBias = &analysis.Analyzer{Name: "modulobias", Doc: page("modulobias"), Run: runModuloBias}

// A remainder by n of b bits makes some results up to n/2^b more likely: 2^-24 is tolerated.
const tolerated = 24

func runModuloBias(pass *analysis.Pass) (any, error) {
	if !importsAny(pass, append([]string{"crypto/rand", library}, weakPackages...)...) {
		return nil, nil
	}

	r := newReporter(pass)
	values := newFlow(pass)
	for n := range inspector.New(pass.Files).PreorderSeq() {
		x, y := remainder(n)
		if x == nil {
			continue
		}

		width := values.from(x).bits
		if more := bias(pass.TypesInfo, width, y); more != "" {
			r.report(n, fmt.Sprintf("the remainder of a random value is biased: some results come %s; it has %d random bits: discard "+
				"the values of the last, incomplete round, or call fount.IntN", more, width))
		}
	}
	return nil, nil
}

// remainder returns x and y of x % y and x %= y, nil for other nodes.
func remainder(n ast.Node) (x, y ast.Expr) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.REM {
			return n.X, n.Y
		}
	case *ast.AssignStmt:
		if n.Tok == token.REM_ASSIGN {
			return n.Lhs[0], n.Rhs[0]
		}
	}
	return nil, nil
}

// bias says how much more often some remainders of width random bits by y come, "" if hardly.
func bias(info *types.Info, width int, y ast.Expr) string {
	n, known := constantInt(info, y)
	switch {
	case width == 0 || known && (n < 2 || n&(n-1) == 0):
		return ""
	case known && bits.Len64(n-1) > width:
		return "" // nothing is left out
	case known:
		if bits.Len64(n)+tolerated <= width {
			return ""
		}
		half := uint64(1) << (width - 1)
		rounds := half/n*2 + half%n*2/n // 2^width/n, of which the last is incomplete
		return fmt.Sprintf("more often than others, by 1 in %d", rounds)
	case isLength(info, y):
		if width > 16 {
			return "" // lengths are small
		}
	case width > 32:
		return "" // n is unknown, and rarely above 2^40
	}
	return "more often than others"
}

// isLength reports whether an expression is the length of something, converted or not.
func isLength(info *types.Info, e ast.Expr) bool {
	call, ok := base(info, e).(*ast.CallExpr)
	return ok && isBuiltin(info, call, "len")
}
