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

// moveFixes move an if, with its comments, before the statement that hashes, where both are of one block, nothing in between
// returns or jumps, and the if uses nothing that is declared or assigned there.
func moveFixes(pass *analysis.Pass, body *ast.BlockStmt, hash *ast.CallExpr, guard *ast.IfStmt) (fixes []analysis.SuggestedFix) {
	ast.Inspect(body, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if !ok {
			return true
		}
		to := slices.IndexFunc(block.List, func(s ast.Stmt) bool { return s.Pos() <= hash.Pos() && hash.Pos() < s.End() })
		from := slices.Index(block.List, ast.Stmt(guard))
		if to < 0 || from <= to || guard.Else != nil || slices.ContainsFunc(block.List[to:from], leaves) || dependsOn(pass.TypesInfo, guard, block.List[to:from]) {
			return true
		}
		before := block.List[to].Pos()
		pos, end := withComments(pass, guard)
		text := original(pass, pos, end)
		if text == "" {
			return true
		}
		fixes = []analysis.SuggestedFix{{Message: "Ask the limit before the hash", TextEdits: []analysis.TextEdit{
			{Pos: before, End: before, NewText: []byte(text + "\n" + strings.Repeat("\t", pass.Fset.Position(before).Column-1))},
			{Pos: pos, End: end},
		}}}
		return true
	})
	return fixes
}

// leaves reports whether a statement may return or jump: an if behind it is asked for some of the results of the hash alone.
func leaves(stmt ast.Stmt) (found bool) {
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			found = true
		}
		return !found
	})
	return found
}

// dependsOn reports whether a statement uses something that the statements before it declare or assign.
func dependsOn(info *types.Info, stmt ast.Stmt, before []ast.Stmt) bool {
	set := make(map[types.Object]bool)
	add := func(e ast.Expr) {
		if obj := owner(info, e); obj != nil {
			set[obj] = true
		}
	}
	for _, s := range before {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if obj := info.Defs[n]; obj != nil {
					set[obj] = true
				}
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					add(e)
				}
			case *ast.IncDecStmt:
				add(n.X)
			case *ast.RangeStmt:
				add(n.Key)
				add(n.Value)
			case *ast.UnaryExpr:
				if n.Op == token.AND { // Decode(&key)
					add(n.X)
				}
			}
			return true
		})
	}
	return mentions(info, stmt, set)
}

// withComments is where a node begins and ends together with the comment above it and the one behind it.
func withComments(pass *analysis.Pass, n ast.Node) (pos, end token.Pos) {
	pos, end = n.Pos(), n.End()
	for _, group := range fileOf(pass, n).Comments {
		first, last := pass.Fset.Position(group.Pos()), pass.Fset.Position(group.End())
		above, behind := pass.Fset.Position(n.Pos()), pass.Fset.Position(n.End())
		switch {
		case last.Line == above.Line-1 && first.Column == above.Column:
			pos = group.Pos()
		case first.Line == behind.Line && group.Pos() >= n.End():
			end = group.End()
		}
	}
	return pos, end
}

// original is the text between two positions of a file, "" if it can't be read.
func original(pass *analysis.Pass, pos, end token.Pos) string {
	file := pass.Fset.File(pos)
	text, err := pass.ReadFile(file.Name())
	if err != nil || file.Offset(end) > len(text) {
		return ""
	}
	return string(text[file.Offset(pos):file.Offset(end)])
}
