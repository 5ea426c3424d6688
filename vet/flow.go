// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Where values go: what variables, fields and functions hold of what comes from a source.

package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A flow follows values through one package: by assignments, returns and the calls that pass on
// what they are given, without order or conditions.
type flow struct {
	info     *types.Info
	isSource func(*ast.CallExpr) bool     // the call's value is from the source
	fills    func(*ast.CallExpr) ast.Expr // what the call writes a value from the source to, or nil
	holds    map[types.Object]bool        // variables and fields; functions, for what they return
}

// newFlow follows the values of a source through the package.
func newFlow(pass *analysis.Pass, isSource func(*ast.CallExpr) bool, fills func(*ast.CallExpr) ast.Expr) *flow {
	f := &flow{pass.TypesInfo, isSource, fills, make(map[types.Object]bool)}
	for {
		before := len(f.holds)
		for _, file := range pass.Files {
			if !isTest(pass, file) { // tests put anything anywhere
				f.walk(file, nil)
			}
		}
		if len(f.holds) == before {
			return f
		}
	}
}

// walk takes the steps below a node, whose returns are those of function.
func (f *flow) walk(n ast.Node, function *types.Func) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				declared, _ := f.info.Defs[n.Name].(*types.Func)
				f.walk(n.Body, declared)
			}
			return false
		case *ast.FuncLit:
			f.walk(n.Body, nil)
			return false
		case *ast.ReturnStmt:
			if function == nil {
				break
			}
			for _, e := range n.Results {
				if isValue(f.info.TypeOf(e)) && f.from(e) {
					f.holds[function] = true
				}
			}
			if len(n.Results) == 0 { // named results
				for v := range function.Signature().Results().Variables() {
					if f.holds[v] {
						f.holds[function] = true
					}
				}
			}
		case *ast.AssignStmt:
			f.assign(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			f.assign(left(n), n.Values)
		case *ast.RangeStmt:
			if n.Value != nil && f.from(n.X) {
				f.hold(n.Value)
			}
		case *ast.CallExpr:
			f.call(n)
		}
		return true
	})
}

func (f *flow) assign(left, right []ast.Expr) {
	if len(left) == len(right) {
		for i, e := range right {
			if f.from(e) {
				f.hold(left[i])
			}
		}
	} else if len(right) == 1 && f.from(right[0]) {
		for _, e := range left {
			if isValue(f.info.TypeOf(e)) {
				f.hold(e)
			}
		}
	}
}

// call takes the step of a call that writes to what it is given.
func (f *flow) call(call *ast.CallExpr) {
	if e := f.fills(call); e != nil {
		f.hold(e)
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "copy" && len(call.Args) == 2 && f.from(call.Args[1]) {
		f.hold(call.Args[0])
	}
	fn := callee(f.info, call)
	if packagePath(fn) == "encoding/binary" && strings.HasPrefix(fn.Name(), "Put") && len(call.Args) == 2 && f.from(call.Args[1]) {
		f.hold(call.Args[0])
	}
}

// hold notes that what e stands for, or is a part of, holds a value from the source.
func (f *flow) hold(e ast.Expr) {
	if obj, ok := root(f.info, e).(*types.Var); ok && obj.Name() != "_" {
		f.holds[obj] = true
	}
}

// from reports whether the value of e comes from the source.
func (f *flow) from(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.from(e.X)
	case *ast.Ident:
		return f.holds[f.info.ObjectOf(e)]
	case *ast.SelectorExpr:
		return f.holds[f.info.ObjectOf(e.Sel)]
	case *ast.StarExpr:
		return f.from(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && f.from(e.X)
	case *ast.SliceExpr:
		return f.from(e.X)
	case *ast.TypeAssertExpr:
		return f.from(e.X)
	case *ast.IndexExpr:
		return f.from(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
			return false
		}
		return f.from(e.X) || f.from(e.Y)
	case *ast.CompositeLit:
		if _, ok := f.info.TypeOf(e).Underlying().(*types.Struct); ok {
			return false
		}
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			if f.from(elt) {
				return true
			}
		}
	case *ast.CallExpr:
		return f.fromCall(e)
	}
	return false
}

func (f *flow) fromCall(call *ast.CallExpr) bool {
	if f.isSource(call) {
		return true
	}
	if isConversion(f.info, call) {
		return f.from(call.Args[0])
	}
	anyArg := func() bool {
		for _, e := range call.Args {
			if f.from(e) {
				return true
			}
		}
		return false
	}
	fun := ast.Unparen(call.Fun)
	if id, ok := fun.(*ast.Ident); ok {
		if b, ok := f.info.ObjectOf(id).(*types.Builtin); ok {
			return (b.Name() == "append" || b.Name() == "min" || b.Name() == "max") && anyArg()
		}
	}
	fn := callee(f.info, call)
	if fn == nil {
		return false
	}
	if f.holds[fn] {
		return true
	}
	if !isValue(f.info.TypeOf(call)) {
		return false
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil && f.from(sel.X) {
		return true
	}
	return passesOn(packagePath(fn)) && anyArg()
}

// passesOn reports whether the functions of a package return what they make of their arguments.
func passesOn(path string) bool {
	switch path {
	case "strings", "strconv", "fmt", "bytes", "math", "math/bits", "slices", "unicode/utf8", "crypto/md5", "crypto/sha1", "crypto/sha256", "crypto/sha512":
		return true
	}
	return strings.HasPrefix(path, "encoding/")
}

// isValue reports whether values of the type carry what they were made of: errors do not.
func isValue(t types.Type) bool {
	switch t := t.(type) {
	case nil:
		return false
	case *types.Tuple:
		for v := range t.Variables() {
			if isValue(v.Type()) {
				return true
			}
		}
		return false
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()&(types.IsNumeric|types.IsString) != 0
	}
	return !types.Implements(t, errorType)
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// left returns the names that a declaration gives values, as the left side of an assignment.
func left(s *ast.ValueSpec) []ast.Expr {
	names := make([]ast.Expr, len(s.Names))
	for i, name := range s.Names {
		names[i] = name
	}
	return names
}
