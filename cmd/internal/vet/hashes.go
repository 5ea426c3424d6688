// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Which functions hash passwords, here and in the packages that are imported.

package vet

import (
	"cmp"
	"go/ast"
	"go/types"
	"reflect"
	"regexp"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// A summary is the fact of how a function concerns password hashing.
type summary struct {
	Routes []route
	Module string // Keeps and Limits are for callers of that module: libraries have locks of their own
	Keeps  bool   // it has taken a bound when it returns, and not given it back
	Limits bool   // it bounds how many of the functions that it is given run at once
}

func (*summary) AFact() {}

// A route is how a function comes to hash on the caller's goroutine, without a bound: by calls to
// an algorithm, or to an interface, behind which a type may hash.
type route struct {
	Name     string   // of the algorithm, or of the method of the interface
	Method   string   // the shape of that method, "" for an algorithm
	Methods  []string // the names of all methods of the interface
	Optional bool     // it hashes only if it is given something to hash
	Depth    int      // calls to the algorithm or the interface
}

// maxDepth is how far from the algorithm a function still counts as one that hashes. Drivers of
// databases derive keys when they connect, deep below what programs call.
const maxDepth = 6

// algorithms are the functions that are expensive by design.
var algorithms = map[string]string{
	"golang.org/x/crypto/bcrypt.GenerateFromPassword":   "bcrypt",
	"golang.org/x/crypto/bcrypt.CompareHashAndPassword": "bcrypt",
	"golang.org/x/crypto/argon2.Key":                    "argon2",
	"golang.org/x/crypto/argon2.IDKey":                  "argon2",
	"golang.org/x/crypto/scrypt.Key":                    "scrypt",
	"golang.org/x/crypto/pbkdf2.Key":                    "PBKDF2",
	"crypto/pbkdf2.Key":                                 "PBKDF2",
	library + "/password.Hash":                          "password.Hash",
	library + "/password.Verify":                        "password.Verify",
}

// summaries has what the functions of one package do, and looks up those of others.
type summaries struct {
	pass  *analysis.Pass
	known map[*types.Func]*summary // of this package
}

// summarize sums up the functions of the package, and exports what it finds.
func summarize(pass *analysis.Pass) *summaries {
	s := &summaries{pass, make(map[*types.Func]*summary)}

	// What a function does depends on those that it calls: repeat it until none changes.
	functions := inspector.All[*ast.FuncDecl](inspector.New(pass.Files))
	changed := true
	for round := 0; changed && round < maxRounds; round++ {
		changed = false
		for f := range functions {
			if f.Body == nil || isTest(pass, f.Pos()) {
				continue
			}
			obj := pass.TypesInfo.Defs[f.Name].(*types.Func)
			if sum := s.summarizeOne(f); !reflect.DeepEqual(sum, s.of(obj)) {
				s.known[obj] = sum
				changed = true
			}
		}
	}

	for f, sum := range s.known {
		sum.Module = s.module()
		if len(sum.Routes) > 0 || sum.Keeps || sum.Limits {
			pass.ExportObjectFact(f, sum)
		}
	}
	return s
}

// summarizeOne sums up a function by what is known of those that it calls.
func (s *summaries) summarizeOne(f *ast.FuncDecl) *summary {
	b := s.bounds(f.Body)
	optional := options(f.Body)

	sum := &summary{Keeps: s.keeps(f.Body), Limits: s.limits(f, b)}
	s.calls(f.Body, b, func(call *ast.CallExpr) {
		for _, to := range s.routes(call) {
			if to.Depth < maxDepth {
				to.Depth++
				to.Optional = to.Optional || optional.cover(call.Pos())
				sum.add(to)
			}
		}
	})

	// Functions that call each other have them in one order.
	slices.SortFunc(sum.Routes, func(a, b route) int { return cmp.Compare(a.Name, b.Name) })
	return sum
}

// calls visits the calls in a body that no bound covers. It leaves out handlers within the body,
// which are looked at by themselves.
func (s *summaries) calls(body *ast.BlockStmt, b spans, visit func(*ast.CallExpr)) {
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !b.cover(call.Pos()) {
			visit(call)
		}
		return !s.isHandlerLiteral(n)
	})
}

// add adds a route. Of two to one algorithm or method the shorter counts, and the less optional.
func (s *summary) add(r route) {
	i := slices.IndexFunc(s.Routes, func(old route) bool { return old.Name == r.Name })
	if i < 0 {
		s.Routes = append(s.Routes, r)
		return
	}

	old := &s.Routes[i]
	old.Optional = old.Optional && r.Optional
	old.Depth = min(old.Depth, r.Depth)
}

// optional matches conditions that ask whether something is not empty.
var optional = regexp.MustCompile(`(!=|>) (""|0)|(""|0) (!=|<)`)

// options returns the blocks that run only if something is not empty: if u.Password != "".
func options(body *ast.BlockStmt) (found spans) {
	for n := range ast.Preorder(body) {
		if n, ok := n.(*ast.IfStmt); ok && optional.MatchString(types.ExprString(n.Cond)) {
			found = append(found, spanOf(n.Body))
		}
	}
	return found
}

// routes returns how a call comes to hash.
func (s *summaries) routes(call *ast.CallExpr) []route {
	f := callee(s.pass.TypesInfo, call)
	if f == nil {
		return nil
	}

	recv := f.Signature().Recv()
	algorithm := algorithms[packagePath(f)+"."+f.Name()]
	switch {
	case recv == nil && algorithm != "":
		return []route{{Name: algorithm}}
	case recv != nil && types.IsInterface(recv.Type()):
		return s.behind(f, call)
	}
	return s.of(f).Routes
}

// of returns the summary of a function.
func (s *summaries) of(f *types.Func) *summary {
	sum := new(summary)
	switch {
	case s.known[f] != nil:
		return s.known[f]
	case f == nil || f.Pkg() == s.pass.Pkg:
		return sum
	}

	isOurs := s.pass.ImportObjectFact(f, sum) && sum.Module != "" && sum.Module == s.module()
	if !isOurs {
		sum.Keeps = false
		sum.Limits = false
	}
	return sum
}

// module is the path of the module of the package, "" if it is none's.
func (s *summaries) module() string {
	if s.pass.Module == nil {
		return ""
	}
	return s.pass.Module.Path
}
