// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Which functions hash passwords, here and in the packages that are imported.

package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// hashing finds the functions that hash a password on the caller's goroutine, by themselves or by
// what they call. Calls by way of an interface or a function value are not followed.
var hashing = &analysis.Analyzer{
	Name: "founthashing", Doc: "find the functions that hash passwords", Run: runHashing,
	FactTypes: []analysis.Fact{new(hashes)}, ResultType: reflect.TypeFor[*hashCalls](),
}

// hashes is the fact that a function hashes a password.
type hashes struct {
	Name     string // of the algorithm
	Bounded  bool   // it limits how many run at once
	Optional bool   // it hashes only if it is given something to hash
	Depth    int    // calls to the algorithm
}

func (*hashes) AFact()           {}
func (h *hashes) String() string { return "hashes with " + h.Name }

// maxDepth is how far from the algorithm a function still counts as one that hashes. Drivers of
// databases derive keys when they connect, deep below what programs call.
const maxDepth = 6

// algorithms are what is expensive by design.
var algorithms = map[string]hashes{
	"golang.org/x/crypto/bcrypt.GenerateFromPassword":   {Name: "bcrypt"},
	"golang.org/x/crypto/bcrypt.CompareHashAndPassword": {Name: "bcrypt"},
	"golang.org/x/crypto/argon2.Key":                    {Name: "argon2"},
	"golang.org/x/crypto/argon2.IDKey":                  {Name: "argon2"},
	"golang.org/x/crypto/scrypt.Key":                    {Name: "scrypt"},
	"golang.org/x/crypto/pbkdf2.Key":                    {Name: "PBKDF2"},
	"crypto/pbkdf2.Key":                                 {Name: "PBKDF2"},
	"fount/password.Hash":                               {Name: "password.Hash"},
	"fount/password.Verify":                             {Name: "password.Verify"},
}

var algorithmPackages = []string{"golang.org/x/crypto/bcrypt", "golang.org/x/crypto/argon2", "golang.org/x/crypto/scrypt",
	"golang.org/x/crypto/pbkdf2", "crypto/pbkdf2", "fount/password"}

// hashCalls tells of calls in one package whether they hash.
type hashCalls struct {
	pass  *analysis.Pass
	known map[*types.Func]*hashes // of this package
}

func runHashing(pass *analysis.Pass) (any, error) {
	h := &hashCalls{pass, make(map[*types.Func]*hashes)}
	if path := pass.Pkg.Path(); path == "fount/password" || strings.HasPrefix(path, "golang.org/x/crypto/") {
		return h, nil // what these do for themselves is in the table
	}
	if !importsAny(pass, algorithmPackages...) && len(pass.AllObjectFacts()) == 0 {
		return h, nil
	}
	for changed := true; changed; {
		changed = false
		for _, file := range pass.Files {
			for _, decl := range file.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok || f.Body == nil || isTest(pass, f) {
					continue
				}
				obj := pass.TypesInfo.Defs[f.Name].(*types.Func)
				if fact := h.sum(f.Body); fact != nil && (h.known[obj] == nil || *fact != *h.known[obj]) && h.grows(obj, fact) {
					h.known[obj] = fact
					changed = true
				}
			}
		}
	}
	for f, fact := range h.known {
		pass.ExportObjectFact(f, fact)
	}
	return h, nil
}

// grows reports whether the new fact says more than the old, so that the search ends.
func (h *hashCalls) grows(f *types.Func, fact *hashes) bool {
	old := h.known[f]
	return old == nil || old.Bounded && !fact.Bounded || old.Optional && !fact.Optional
}

// sum is what a body does, nil if it does not hash.
func (h *hashCalls) sum(body *ast.BlockStmt) *hashes {
	var sum *hashes
	bounds, options := h.bounds(body), h.options(body)
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fact := h.of(call)
		if fact == nil || fact.Depth >= maxDepth {
			return true
		}
		bounded := fact.Bounded || bounds.hold(call.Pos())
		optional := fact.Optional || slices.ContainsFunc(options, func(n ast.Node) bool { return contains(n, call) })
		if sum == nil {
			sum = &hashes{Name: fact.Name, Bounded: bounded, Optional: optional, Depth: fact.Depth + 1}
		} else {
			sum.Optional = sum.Optional && optional
			sum.Bounded = sum.Bounded && bounded
		}
		return true
	})
	return sum
}

// options are the blocks that run only if something is not empty: if u.Password != "".
func (h *hashCalls) options(body *ast.BlockStmt) (found []ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		if n, ok := n.(*ast.IfStmt); ok {
			ast.Inspect(n.Cond, func(c ast.Node) bool {
				b, ok := c.(*ast.BinaryExpr)
				if ok && (b.Op == token.NEQ || b.Op == token.GTR) && (h.isEmpty(b.Y) || h.isEmpty(b.X)) {
					found = append(found, n.Body)
				}
				return true
			})
		}
		return true
	})
	return found
}

// isEmpty reports whether an expression is "" or 0.
func (h *hashCalls) isEmpty(e ast.Expr) bool {
	v := h.pass.TypesInfo.Types[e].Value
	return v != nil && (v.ExactString() == `""` || v.ExactString() == "0")
}

// of is what a call does, nil if it does not hash.
func (h *hashCalls) of(call *ast.CallExpr) *hashes {
	f := callee(h.pass.TypesInfo, call)
	if f == nil {
		return nil
	}
	if fact, ok := algorithms[packagePath(f)+"."+f.Name()]; ok && f.Signature().Recv() == nil {
		return &fact
	}
	if f.Pkg() == h.pass.Pkg {
		return h.known[f]
	}
	fact := new(hashes)
	if h.pass.ImportObjectFact(f, fact) {
		return fact
	}
	return nil
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

// bounds are the places in a body where it holds a bound.
type bounds struct {
	held []span
	// executed are function literals that are given to a pool, which decides when to run them.
	executed []*ast.FuncLit
}

func contains(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}

// A span is from a position to another.
type span struct{ from, to token.Pos }

var executorName = regexp.MustCompile(`(?i)pool|submit|enqueue|limit|throttle|queue|singleflight|schedule|worker`)

// bounds finds what limits how many goroutines run a body at once: a send into a channel, a
// limiter, a mutex whose unlocking is deferred.
func (h *hashCalls) bounds(body ast.Node) bounds {
	info := h.pass.TypesInfo
	var b bounds
	var inner []*ast.FuncLit
	hold := func(from, to token.Pos) { b.held = append(b.held, span{from, to}) }
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			inner = append(inner, n)
		case *ast.DeferStmt: // of a mutex that is unlocked otherwise it is not known what it guards
			if isUnlock(callee(info, n.Call)) {
				end := body.End()
				for _, lit := range inner {
					if contains(lit, n) {
						end = lit.End()
					}
				}
				hold(n.End(), end)
			}
		case *ast.SendStmt:
			hold(n.End(), body.End())
		case *ast.UnaryExpr:
			if _, isCall := ast.Unparen(n.X).(*ast.CallExpr); n.Op == token.ARROW && !isCall {
				hold(n.End(), body.End())
			}
		case *ast.CallExpr:
			if isLimiter(info, n) {
				hold(n.End(), body.End())
			}
			name := source(h.pass.Fset, n.Fun)
			for _, arg := range n.Args {
				if lit, ok := arg.(*ast.FuncLit); ok && executorName.MatchString(name) {
					b.executed = append(b.executed, lit)
				}
			}
		}
		return true
	})
	return b
}

// isUnlock reports whether f unlocks a mutex. Readers of a sync.RWMutex do not exclude each other.
func isUnlock(f *types.Func) bool {
	return isFunction(f, "Mutex", "Unlock", "sync") || isFunction(f, "RWMutex", "Unlock", "sync")
}

// hold reports whether a bound holds at a position.
func (b bounds) hold(at token.Pos) bool {
	return slices.ContainsFunc(b.held, func(s span) bool { return s.from <= at && at < s.to }) ||
		slices.ContainsFunc(b.executed, func(lit *ast.FuncLit) bool { return lit.Pos() <= at && at < lit.End() })
}
