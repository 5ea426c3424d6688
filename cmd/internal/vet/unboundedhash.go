// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// UnboundedHash reports password hashes that each request to a handler runs, without a limit.
var UnboundedHash = &analysis.Analyzer{
	Name: "unboundedhash", Doc: page("unboundedhash"), Run: runUnboundedHash, Requires: []*analysis.Analyzer{hashing},
}

func runUnboundedHash(pass *analysis.Pass) (any, error) {
	r := newReporter(pass)
	h := pass.ResultOf[hashing].(*hashCalls)
	handlers := handlerFuncs(pass)
	for _, file := range pass.Files {
		for _, f := range functions(file) {
			if !isHandler(pass.TypesInfo.TypeOf(f.node).(*types.Signature)) {
				continue
			}
			bounds := h.bounds(f.body)
			ast.Inspect(f.body, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok && isHandler(pass.TypesInfo.TypeOf(lit).(*types.Signature)) {
					return false // it has a turn of its own
				}
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				fact := h.of(call)
				if fact == nil || fact.Bounded || fact.Optional && !givesPassword(f.body) || bounds.hold(call.Pos()) || handlers[callee(pass.TypesInfo, call)] {
					return true
				}
				r.report(call, fact.Name+" runs in a handler without a bound: a burst of requests makes them all late; give it to "+
					"password.Pool, or hold a semaphore")
				return true
			})
		}
	}
	return nil, nil
}

var passwordName = regexp.MustCompile(`(?i)password|passwd|pwd|passphrase|secret|credentials`)

// givesPassword reports whether a body mentions a password, other than to ask whether there is one.
func givesPassword(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !strings.HasPrefix(strings.ToLower(id.Name), "has") && !strings.HasPrefix(strings.ToLower(id.Name), "is") {
			found = found || passwordName.MatchString(id.Name)
		}
		return !found
	})
	return found
}

// A function is a declaration or a literal.
type function struct {
	node ast.Expr // whose type is its signature
	body *ast.BlockStmt
}

// functions are those of a file.
func functions(file *ast.File) (found []function) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				found = append(found, function{n.Name, n.Body})
			}
		case *ast.FuncLit:
			found = append(found, function{n, n.Body})
		}
		return true
	})
	return found
}

// handlerFuncs are the declared functions of the package that are handlers.
func handlerFuncs(pass *analysis.Pass) map[*types.Func]bool {
	found := make(map[*types.Func]bool)
	for _, obj := range pass.TypesInfo.Defs {
		if f, ok := obj.(*types.Func); ok && isHandler(f.Signature()) {
			found[f] = true
		}
	}
	return found
}

// isHandler reports whether functions of that signature serve a request: they take its
// http.ResponseWriter and http.Request, a framework's context of both, or a call of gRPC.
func isHandler(s *types.Signature) bool {
	writes, asks := false, false
	for v := range s.Params().Variables() {
		writes = writes || isType(v.Type(), "net/http", "ResponseWriter")
		asks = asks || isType(v.Type(), "net/http", "Request")
		if isRequestContext(v.Type()) {
			return true
		}
	}
	return writes && asks || isCall(s)
}

// isCall reports whether that serves gRPC: it takes a context and a message, and returns one.
func isCall(s *types.Signature) bool {
	if s.Recv() == nil || s.Params().Len() != 2 || s.Results().Len() != 2 {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(s.Params().At(1).Type(), true, nil, "ProtoReflect")
	return obj != nil && isType(s.Params().At(0).Type(), "context", "Context") && types.Implements(s.Results().At(1).Type(), errorType)
}

// Contexts of frameworks.
var contexts = [][2]string{
	{"github.com/gin-gonic/gin", "Context"}, {"github.com/valyala/fasthttp", "RequestCtx"},
	{"github.com/gofiber/fiber/v2", "Ctx"}, {"github.com/gofiber/fiber/v3", "Ctx"},
	{"github.com/labstack/echo", "Context"}, {"github.com/labstack/echo/v4", "Context"}, {"github.com/labstack/echo/v5", "Context"},
	{"github.com/gobuffalo/buffalo", "Context"}, {"github.com/kataras/iris/v12", "Context"}, {"github.com/kataras/iris/v12/context", "Context"},
}

// isRequestContext reports whether t is a framework's context: one of those above.
func isRequestContext(t types.Type) bool {
	obj := typeObject(t)
	return obj != nil && slices.Contains(contexts, [2]string{packagePath(obj), obj.Name()})
}
