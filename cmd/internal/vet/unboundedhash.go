// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// UnboundedHash reports password hashes that each request to a handler runs, without a limit.
var UnboundedHash = &analysis.Analyzer{
	Name: "unboundedhash", Doc: page("unboundedhash"), Run: runUnboundedHash,
	FactTypes: []analysis.Fact{new(summary), new(linkage)},
}

func runUnboundedHash(pass *analysis.Pass) (any, error) {
	path := pass.Pkg.Path()
	if path == library+"/password" || strings.HasPrefix(path, "golang.org/x/crypto/") {
		return nil, nil // it has the algorithms
	}

	s := summarize(pass)
	links := s.link()
	r := newReporter(pass)
	links.reportOpen(r)
	for n := range inspector.New(pass.Files).PreorderSeq() {
		switch f := n.(type) {
		case *ast.FuncDecl:
			links.reportHandler(s, r, f.Name, f.Body)
		case *ast.FuncLit:
			links.reportHandler(s, r, f, f.Body)
		}
	}

	if len(links.Types)+len(links.Open) > 0 {
		pass.ExportPackageFact(&links)
	}
	return nil, nil
}

// reportHandler reports the calls that hash in a function, if it is a handler. It keeps calls of
// interfaces that nothing is known behind. The expression f has the function's type.
func (l *linkage) reportHandler(s *summaries, r *reporter, f ast.Expr, body *ast.BlockStmt) {
	info := s.pass.TypesInfo
	if body == nil || !isHandler(info.TypeOf(f).(*types.Signature)) {
		return
	}

	password := givesPassword(body)
	s.calls(body, s.bounds(body), func(call *ast.CallExpr) {
		called := callee(info, call)
		reportsItself := called != nil && isHandler(called.Signature()) && s.of(called).Module == s.module()
		if reportsItself || r.silent(call) {
			return
		}

		for _, through := range s.routes(call) {
			if name := l.resolve(through, password, maxHops); name != "" {
				r.report(call, unbounded(name, through))
			} else if through.Method != "" {
				l.Open = append(l.Open, openCall{At: s.pass.Fset.Position(call.Pos()), Route: through, Password: password})
			}
		}
	})
}

// reportOpen reports the calls of imported packages that lead to a hash by what this one imports
// too.
func (l *linkage) reportOpen(r *reporter) {
	l.Open = slices.DeleteFunc(l.Open, func(open openCall) bool {
		name := l.resolve(open.Route, open.Password, maxHops)
		if name == "" {
			return false
		}

		file := r.pass.Fset.AddFile(open.At.Filename, -1, 1) // a position there
		file.AddLineColumnInfo(0, open.At.Filename, open.At.Line, open.At.Column)
		r.report(span{file.Pos(0), token.NoPos}, unbounded(name, open.Route))
		return true
	})
}

// unbounded says of an algorithm that a handler runs it.
func unbounded(name string, through route) string {
	if through.Method != "" {
		name += ", behind " + through.Name + ","
	}
	return name + " runs in a handler without a bound: a burst of requests makes them all late; give it to " +
		"password.Pool, or hold a semaphore"
}

var (
	passwordName = regexp.MustCompile(`(?i)password|passwd|pwd|passphrase|secret|credentials`)
	askingName   = regexp.MustCompile(`^(?i:has|is)`)
)

// givesPassword reports whether a body mentions a password, other than to ask whether there is one.
func givesPassword(body *ast.BlockStmt) bool {
	for n := range ast.Preorder(body) {
		id, ok := n.(*ast.Ident)
		if ok && passwordName.MatchString(id.Name) && !askingName.MatchString(id.Name) {
			return true
		}
	}
	return false
}

// isHandlerLiteral reports whether a node is the literal of a handler.
func (s *summaries) isHandlerLiteral(n ast.Node) bool {
	lit, ok := n.(*ast.FuncLit)
	return ok && isHandler(s.pass.TypesInfo.TypeOf(lit).(*types.Signature))
}

// isHandler reports whether functions of that signature serve a request: they take its
// http.ResponseWriter and http.Request, a framework's context of both, or a call of gRPC.
func isHandler(s *types.Signature) bool {
	var writes, asks bool
	for v := range s.Params().Variables() {
		writes = writes || isType(v.Type(), "net/http", "ResponseWriter")
		asks = asks || isType(v.Type(), "net/http", "Request")
		if isRequestContext(v.Type()) {
			return true
		}
	}
	return writes && asks || isGRPC(s)
}

// isGRPC reports whether functions of that signature serve a call of gRPC: they take a context
// and a message, and return a message and an error.
func isGRPC(s *types.Signature) bool {
	if s.Recv() == nil || s.Params().Len() != 2 || s.Results().Len() != 2 {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(s.Params().At(1).Type(), true, nil, "ProtoReflect")
	return obj != nil && isType(s.Params().At(0).Type(), "context", "Context") && types.Implements(s.Results().At(1).Type(), errorType)
}

// contexts are those of frameworks.
var contexts = [][2]string{
	{"github.com/gin-gonic/gin", "Context"},
	{"github.com/gobuffalo/buffalo", "Context"},
	{"github.com/gofiber/fiber/v2", "Ctx"},
	{"github.com/gofiber/fiber/v3", "Ctx"},
	{"github.com/kataras/iris/v12", "Context"},
	{"github.com/kataras/iris/v12/context", "Context"},
	{"github.com/labstack/echo", "Context"},
	{"github.com/labstack/echo/v4", "Context"},
	{"github.com/labstack/echo/v5", "Context"},
	{"github.com/valyala/fasthttp", "RequestCtx"},
}

// isRequestContext reports whether t is a framework's context: one of those above, or a program's
// own with the fields Request and Response of net/http.
func isRequestContext(t types.Type) bool {
	has := func(field, name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, field)
		return obj != nil && isType(obj.Type(), "net/http", name)
	}
	if has("Request", "Request") && has("Response", "ResponseWriter") {
		return true
	}

	obj := typeObject(t)
	return obj != nil && slices.Contains(contexts, [2]string{packagePath(obj), obj.Name()})
}
