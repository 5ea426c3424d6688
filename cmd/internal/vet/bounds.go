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

// A span is from a position to another, as a node is.
type span struct{ from, to token.Pos }

func spanOf(n ast.Node) span { return span{n.Pos(), n.End()} }

func (s span) Pos() token.Pos { return s.from }
func (s span) End() token.Pos { return s.to }

// spans are parts of a body, such as those in which a bound holds.
type spans []span

// cover reports whether a position is in one of the spans.
func (list spans) cover(at token.Pos) bool {
	return slices.ContainsFunc(list, func(s span) bool { return s.from <= at && at < s.to })
}

func contains(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}

// bounds finds the bounds of a body. Some calls take one and keep it until the function ends: a
// send into a channel, a limiter, a mutex whose unlocking is deferred, a function that does so.
// Functions that are sent, or given to a pool, run when others let them.
func (s *summaries) bounds(body ast.Node) spans {
	f := finder{summaries: s, body: body, named: make(map[types.Object]*ast.FuncLit)}
	for n := range ast.Preorder(body) {
		f.visit(n)
	}
	return f.found
}

// A finder finds the bounds of a body.
type finder struct {
	*summaries
	body     ast.Node
	literals []*ast.FuncLit                // so far
	named    map[types.Object]*ast.FuncLit // by the variable that holds it
	found    spans
}

func (f *finder) visit(n ast.Node) {
	info := f.pass.TypesInfo
	switch n := n.(type) {
	case *ast.FuncLit:
		f.literals = append(f.literals, n)
	case *ast.AssignStmt:
		for i, e := range n.Rhs {
			if lit, ok := e.(*ast.FuncLit); ok {
				f.named[root(info, n.Lhs[i])] = lit
			}
		}
	case *ast.DeferStmt: // of a mutex that is unlocked otherwise it is not known what it guards
		if isMutex(callee(info, n.Call), "Unlock") {
			f.take(n)
		}
	case *ast.SendStmt:
		f.take(n)
		f.give(n.Value)
	case *ast.UnaryExpr:
		if isReceive(n) {
			f.take(n)
		}
	case *ast.CallExpr:
		if isLimiter(info, n) || f.of(callee(info, n)).Keeps {
			f.take(n)
		}
		if f.isExecutor(n) {
			for _, arg := range n.Args {
				f.give(arg)
			}
		}
	}
}

// take adds a bound that n takes: from n to the end of the innermost function around it.
func (f *finder) take(n ast.Node) {
	end := f.body.End()
	for _, lit := range f.literals {
		if contains(lit, n) {
			end = lit.End()
		}
	}
	f.found = append(f.found, span{n.End(), end})
}

// give adds the functions in e, literals and names of others, which somebody else runs.
func (f *finder) give(e ast.Expr) {
	info := f.pass.TypesInfo
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			f.found = append(f.found, spanOf(n))
			return false
		case *ast.Ident:
			if lit := f.named[info.Uses[n]]; lit != nil {
				f.found = append(f.found, spanOf(lit))
			} else if isFunc(info.TypeOf(n)) {
				f.found = append(f.found, spanOf(n))
			}
		}
		return true
	})
}

// limits reports whether a function runs the functions that it is given only under a bound.
func (s *summaries) limits(f *ast.FuncDecl, b spans) (limited bool) {
	info := s.pass.TypesInfo
	params := spans{spanOf(f.Type.Params)}

	for n := range ast.Preorder(f.Body) {
		id, ok := n.(*ast.Ident)
		isParam := ok && info.Uses[id] != nil && params.cover(info.Uses[id].Pos())
		if !isParam || !isFunc(info.TypeOf(id)) {
			continue
		}
		if !b.cover(id.Pos()) {
			return false
		}
		limited = true
	}
	return limited
}

// A use is what a function does with a channel of tokens, a lock or a limiter.
type use struct{ sends, receives, takes, gives bool }

// isKept reports whether a bound is left taken. A token may be taken by a send and given back by a
// receive, or the other way round.
func (u *use) isKept() bool { return u.sends != u.receives || u.takes && !u.gives }

// keeps reports whether a function has taken a bound when it returns, and not given it back.
func (s *summaries) keeps(body *ast.BlockStmt) bool {
	for obj, u := range s.uses(body) {
		isLocal := obj != nil && body.Pos() <= obj.Pos() && obj.Pos() < body.End()
		if u.isKept() && !isLocal {
			return true
		}
	}
	return false
}

// uses returns what a function does with each bound itself, now or deferred.
func (s *summaries) uses(body *ast.BlockStmt) map[types.Object]*use {
	info := s.pass.TypesInfo
	uses := make(map[types.Object]*use)
	of := func(e ast.Expr) *use {
		obj := root(info, e)
		if uses[obj] == nil {
			uses[obj] = new(use)
		}
		return uses[obj]
	}

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
				of(n.Chan).sends = true
			}
		case *ast.UnaryExpr:
			if isReceive(n) && isTokens(info.TypeOf(n.X)) {
				of(n.X).receives = true
			}
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			switch {
			case !ok:
			case isLimiter(info, n) || isMutex(callee(info, n), "Lock"):
				of(sel.X).takes = true
			case sel.Sel.Name == "Unlock" || sel.Sel.Name == "Release":
				of(sel.X).gives = true
			}
		}
		return true
	}
	ast.Inspect(body, look)
	return uses
}

// limiterName matches functions that ask a limit, whatever their case: Allow, AllowN, isAllowed,
// Acquire, TryAcquire, rateLimit, CheckRateLimit, rate_limited, RateLimiter, isRateLimited,
// throttle, Throttled, isLimited, too_many, TooManyRequests, TakeAvailable. The whole name counts,
// as others have such parts: allowedHosts, limitedReader.
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

// isTokens reports whether t is a channel whose values can be tokens: empty structs, numbers or
// booleans, but no strings, which are data.
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
