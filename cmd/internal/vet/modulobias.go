// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math/bits"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ModuloBias reports remainders of random values by which some results come more often than others.
var ModuloBias = &analysis.Analyzer{Name: "modulobias", Doc: page("modulobias"), Run: runModuloBias}

// A remainder by n of b bits makes some results up to n/2^b more likely: 2^-24 is tolerated.
const tolerated = 24

func runModuloBias(pass *analysis.Pass) (any, error) {
	if !importsAny(pass, append([]string{"crypto/rand", library}, weakPackages...)...) {
		return nil, nil
	}
	r := newReporter(pass)
	info := pass.TypesInfo
	random := newFlow(pass, isWord, filled)
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			compared := comparedIn(info, decl)
			ast.Inspect(decl, func(n ast.Node) bool {
				var x, y ast.Expr
				switch n := n.(type) {
				case *ast.BinaryExpr:
					if n.Op == token.REM {
						x, y = n.X, n.Y
					}
				case *ast.AssignStmt:
					if n.Tok == token.REM_ASSIGN {
						x, y = n.Lhs[0], n.Rhs[0]
					}
				}
				if x == nil || !random.from(x) || compared[root(info, x)] {
					return true
				}
				if more := bias(info, x, y); more != "" {
					r.report(n, "the remainder of a random value is biased: some results come "+more+"; discard the values of the last, "+
						"incomplete round, or call fount.IntN", moduloFixes(pass, n, x, y)...)
				}
				return true
			})
		}
	}
	return nil, nil
}

func isWord(info *types.Info, call *ast.CallExpr) bool { return wordBits(callee(info, call)) > 0 }

// wordBits is how many random bits a function returns as an integer, 0 for other functions.
func wordBits(f *types.Func) int {
	path := packagePath(f)
	if path != library && !slices.Contains(weakPackages, path) {
		return 0
	}
	switch f.Name() {
	case "Uint64", "Uint", "Int64":
		return 64
	case "Int63", "Int":
		return 63
	case "Uint32", "Int32":
		return 32
	case "Int31":
		return 31
	}
	return 0
}

// filled is what a call fills with random bytes, or nil.
func filled(info *types.Info, call *ast.CallExpr) ast.Expr {
	f := callee(info, call)
	switch {
	case f == nil:
	case f.Name() == "Read" && len(call.Args) == 1 && slices.Contains([]string{"crypto/rand", library, "math/rand"}, packagePath(f)):
		return call.Args[0]
	case f.Name() == "Read" && len(call.Args) == 1: // rand.Reader.Read
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && isCryptoReader(info, sel.X) {
			return call.Args[0]
		}
	case isFunction(f, "", "ReadFull", "io") && isCryptoReader(info, call.Args[0]):
		return call.Args[1]
	case isFunction(f, "", "Read", "encoding/binary") && isCryptoReader(info, call.Args[0]):
		return call.Args[2]
	}
	return nil
}

// comparedIn are the variables of which a declaration asks whether they are less or more than
// something other than zero: it rejects those that are too large.
func comparedIn(info *types.Info, decl ast.Decl) map[types.Object]bool {
	compared := make(map[types.Object]bool)
	ast.Inspect(decl, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || !slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ}, b.Op) {
			return true
		}
		for _, pair := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			if n, isConst := constantInt(info, pair[1]); isConst && n == 0 {
				continue
			}
			if obj := root(info, pair[0]); obj != nil {
				compared[obj] = true
			}
		}
		return true
	})
	return compared
}

// bias says how much more often some results of x % n come, "" if hardly.
func bias(info *types.Info, x, y ast.Expr) string {
	width := valueBits(info, x)
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
		lo := uint64(1)<<(width-1)/n*2 + (uint64(1)<<(width-1)%n)*2/n // 2^width/n
		return fmt.Sprintf("more often than others, by 1 in %d", lo)
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
	if !ok {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == "len"
}

// valueBits is how many bits of an expression are random at most.
func valueBits(info *types.Info, e ast.Expr) int {
	e = ast.Unparen(e)
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return integerSize(info.TypeOf(e))
	}
	if isConversion(info, call) {
		n := valueBits(info, call.Args[0])
		if size := integerSize(info.TypeOf(e)); size > 0 {
			n = min(n, size)
		}
		return n
	}
	f := callee(info, call)
	if n := wordBits(f); n > 0 {
		return n
	}
	if packagePath(f) == "encoding/binary" && strings.HasPrefix(f.Name(), "Uint") {
		return integerSize(info.TypeOf(e))
	}
	return 0
}

// moduloFixes call the bounded function of the package. math/rand's panics for 0 or less.
func moduloFixes(pass *analysis.Pass, n ast.Node, x, y ast.Expr) []analysis.SuggestedFix {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok || n.Pos() != x.Pos() {
		return nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	f := callee(pass.TypesInfo, call)
	_, known := constantInt(pass.TypesInfo, y)
	name := ""
	switch {
	case f == nil: // time.Duration(rand.Uint32()) % n
		return nil
	case packagePath(f) == "math/rand" && f.Name() == "Int31" && known:
		name = "Int31n"
	case f.Name() == "Uint32" && (packagePath(f) == "math/rand/v2" || packagePath(f) == library):
		name = "Uint32N"
	default:
		return nil
	}
	text := source(pass.Fset, sel.X) + "." + name + "(" + source(pass.Fset, ast.Unparen(y)) + ")"
	return []analysis.SuggestedFix{fix("Call "+name+", which has no bias", n.Pos(), n.End(), text)}
}
