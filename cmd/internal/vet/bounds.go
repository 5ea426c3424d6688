// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Where a function bounds how many goroutines run it, or what it is given, at once.

package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// bounds are the spans of a body in which a bound holds.
type bounds []span

// A span is from a position to another, as a node is.
type span struct{ from, to token.Pos }

func (s span) Pos() token.Pos { return s.from }
func (s span) End() token.Pos { return s.to }

func (b bounds) hold(at token.Pos) bool {
	return slices.ContainsFunc(b, func(s span) bool { return s.from <= at && at < s.to })
}

func contains(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}

// bounds finds the bounds of a body. What takes one holds it until the function ends: a send into a
// channel, a limiter, a mutex whose unlocking is deferred, a function that does so. And functions
// that are sent, or given to a pool, run when others let them.
func (s *summaries) bounds(body ast.Node) (b bounds) {
	info := s.pass.TypesInfo
	var literals []*ast.FuncLit
	named := make(map[types.Object]*ast.FuncLit)

	hold := func(n ast.Node) {
		end := body.End()
		for _, lit := range literals {
			if contains(lit, n) {
				end = lit.End()
			}
		}
		b = append(b, span{n.End(), end})
	}

	give := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			id, isIdent := n.(*ast.Ident)
			if isIdent && named[info.Uses[id]] != nil {
				n = named[info.Uses[id]]
			}
			_, isLiteral := n.(*ast.FuncLit)
			if isLiteral || isIdent && isFunc(info.TypeOf(id)) {
				b = append(b, span{n.Pos(), n.End()})
			}
			return !isLiteral
		})
	}

	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			literals = append(literals, n)
		case *ast.AssignStmt:
			for i, e := range n.Rhs {
				if lit, ok := e.(*ast.FuncLit); ok {
					named[root(info, n.Lhs[i])] = lit
				}
			}
		case *ast.DeferStmt: // of a mutex that is unlocked otherwise it is not known what it guards
			if isMutex(callee(info, n.Call), "Unlock") {
				hold(n)
			}
		case *ast.SendStmt:
			hold(n)
			give(n.Value)
		case *ast.UnaryExpr:
			if isReceive(n) {
				hold(n)
			}
		case *ast.CallExpr:
			if isLimiter(info, n) || s.of(callee(info, n)).Holds {
				hold(n)
			}
			if s.isExecutor(n) {
				for _, arg := range n.Args {
					give(arg)
				}
			}
		}
		return true
	})
	return b
}

// limits reports whether a function runs those that it is given only where a bound holds.
func (s *summaries) limits(f *ast.FuncDecl, b bounds) bool {
	info := s.pass.TypesInfo
	limited, free := false, false
	params := bounds{{f.Type.Params.Pos(), f.Type.Params.End()}}

	ast.Inspect(f.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && isFunc(info.TypeOf(id)) && info.Uses[id] != nil && params.hold(info.Uses[id].Pos()) {
			limited = limited || b.hold(id.Pos())
			free = free || !b.hold(id.Pos())
		}
		return true
	})
	return limited && !free
}

// holds reports whether a function has taken a bound when it returns, and not given it back: a token
// sent to a channel or received from one, a lock, what a limiter admits.
func (s *summaries) holds(body *ast.BlockStmt) bool {
	const sent, received, took, gave = 1, 2, 1, 3
	info := s.pass.TypesInfo
	done := make(map[types.Object]int)

	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			if lit, ok := n.Call.Fun.(*ast.FuncLit); ok {
				ast.Inspect(lit.Body, look)
			}
		case *ast.SendStmt:
			if isTokens(info.TypeOf(n.Chan)) {
				done[root(info, n.Chan)] |= sent
			}
		case *ast.UnaryExpr:
			if isReceive(n) && isTokens(info.TypeOf(n.X)) {
				done[root(info, n.X)] |= received
			}
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			switch {
			case !ok:
			case isLimiter(info, n) || isMutex(callee(info, n), "Lock"):
				done[root(info, sel.X)] |= took
			case sel.Sel.Name == "Unlock" || sel.Sel.Name == "Release":
				done[root(info, sel.X)] |= gave
			}
		}
		return true
	}
	ast.Inspect(body, look)

	for obj, what := range done {
		local := obj != nil && body.Pos() <= obj.Pos() && obj.Pos() < body.End()
		if (what == sent || what == received) && !local {
			return true
		}
	}
	return false
}

// limiterName matches functions that ask a limit.
var limiterName = regexp.MustCompile(`^(?i:allown?|(is)?allowed|tryacquire|acquire|(check)?rate_?limit(ed|er)?|is_?rate_?limited|throttled?|(is)?limited|too_?many\w*|takeavailable)$`)

// isLimiter reports whether a call asks a limit: a token bucket, a semaphore.
func isLimiter(info *types.Info, call *ast.CallExpr) bool {
	if isConversion(info, call) {
		return false
	}
	if f := callee(info, call); f != nil && packagePath(f) == "golang.org/x/time/rate" {
		return slices.Contains([]string{"Allow", "AllowN", "Wait", "WaitN", "Reserve", "ReserveN"}, f.Name())
	}

	name := ""
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	}
	return limiterName.MatchString(name)
}

var executorName = regexp.MustCompile(`(?i)pool|submit|enqueue|limit|throttle|queue|singleflight|schedule|worker|slot|bounded`)

// isExecutor reports whether a call runs the functions that it is given once, or few at once.
func (s *summaries) isExecutor(call *ast.CallExpr) bool {
	f := callee(s.pass.TypesInfo, call)
	once := packagePath(f) == "sync" && strings.HasPrefix(receiver(f)+f.Name(), "Once")
	return once || s.of(f).Limits || executorName.MatchString(types.ExprString(call.Fun))
}

// isMutex reports whether f locks or unlocks a mutex. Readers of a sync.RWMutex do not exclude each
// other.
func isMutex(f *types.Func, name string) bool {
	return isFunction(f, "Mutex", name, "sync") || isFunction(f, "RWMutex", name, "sync")
}

// isReceive reports whether e receives from a channel that lives longer than the expression, unlike
// ctx.Done().
func isReceive(e *ast.UnaryExpr) bool {
	_, isCall := ast.Unparen(e.X).(*ast.CallExpr)
	return e.Op == token.ARROW && !isCall
}

// isTokens reports whether t is a channel whose values tell nothing.
func isTokens(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	switch t := c.Elem().Underlying().(type) {
	case *types.Struct:
		return t.NumFields() == 0
	case *types.Basic:
		return t.Info()&types.IsString == 0
	}
	return false
}

func isFunc(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}
