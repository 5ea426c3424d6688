// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// LateLimit reports limiters that are asked after the hash they should have prevented.
var LateLimit = &analysis.Analyzer{Name: "latelimit", Doc: page("latelimit"), Run: runLateLimit, Requires: []*analysis.Analyzer{hashing}}

func runLateLimit(pass *analysis.Pass) (any, error) {
	r := newReporter(pass)
	h := pass.ResultOf[hashing].(*hashCalls)
	for _, file := range pass.Files {
		for _, f := range functions(file) {
			first := h.first(f.body)
			if first == nil || limitedBefore(pass.TypesInfo, f.body, first.Pos()) {
				continue
			}
			ast.Inspect(f.body, func(n ast.Node) bool {
				guard, ok := n.(*ast.IfStmt)
				if !ok || guard.Pos() < first.End() || !ends(pass.TypesInfo, guard.Body) {
					return true
				}
				if call := limiterIn(pass.TypesInfo, guard); call != nil {
					r.report(call, "the limit is asked after the password was hashed, so it saves nothing; ask before", moveFixes(pass, f.body, first, guard)...)
				}
				return true
			})
		}
	}
	return nil, nil
}

// first is the first call in a body that hashes, outside of function literals.
func (h *hashCalls) first(body *ast.BlockStmt) (first *ast.CallExpr) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if first == nil && h.of(n) != nil {
				first = n
			}
		}
		return first == nil
	})
	return first
}

func limitedBefore(info *types.Info, body *ast.BlockStmt, pos token.Pos) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Pos() < pos && isLimiter(info, call) {
			found = true
		}
		return !found
	})
	return found
}

// limiterIn is the limiter that decides an if.
func limiterIn(info *types.Info, guard *ast.IfStmt) (found *ast.CallExpr) {
	look := func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && found == nil && isLimiter(info, call) {
			found = call
		}
		return found == nil
	}
	if guard.Init != nil {
		ast.Inspect(guard.Init, look)
	}
	ast.Inspect(guard.Cond, look)
	return found
}

// moveFixes move an if before the statement that hashes, where both are of one block and the if uses nothing declared in between.
func moveFixes(pass *analysis.Pass, body *ast.BlockStmt, hash *ast.CallExpr, guard *ast.IfStmt) (fixes []analysis.SuggestedFix) {
	ast.Inspect(body, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if !ok {
			return true
		}
		to := slices.IndexFunc(block.List, func(s ast.Stmt) bool { return s.Pos() <= hash.Pos() && hash.Pos() < s.End() })
		from := slices.Index(block.List, ast.Stmt(guard))
		if to < 0 || from <= to || guard.Else != nil || usesBetween(pass.TypesInfo, guard, block.List[to].Pos()) {
			return true
		}
		before := block.List[to].Pos()
		text := original(pass, guard)
		if text == "" {
			return true
		}
		fixes = []analysis.SuggestedFix{{Message: "Ask the limit before the hash", TextEdits: []analysis.TextEdit{
			{Pos: before, End: before, NewText: []byte(text + "\n" + strings.Repeat("\t", pass.Fset.Position(before).Column-1))},
			{Pos: guard.Pos(), End: guard.End()},
		}}}
		return true
	})
	return fixes
}

// usesBetween reports whether a statement uses something that is declared between pos and itself.
func usesBetween(info *types.Info, stmt ast.Stmt, pos token.Pos) (found bool) {
	ast.Inspect(stmt, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := info.Uses[id]; obj != nil && pos <= obj.Pos() && obj.Pos() < stmt.Pos() {
				found = true
			}
		}
		return !found
	})
	return found
}

// original is the text of a node as its file has it, "" if the file can't be read.
func original(pass *analysis.Pass, n ast.Node) string {
	file := pass.Fset.File(n.Pos())
	text, err := pass.ReadFile(file.Name())
	if err != nil || file.Offset(n.End()) > len(text) {
		return ""
	}
	return string(text[file.Offset(n.Pos()):file.Offset(n.End())])
}
