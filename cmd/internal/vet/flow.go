// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Where values go: what variables, fields and functions hold of what comes from a source.

package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A flow follows values through one package, without order or conditions: to what is assigned, the
// parameters of its functions, the fields of struct literals, what a function returns, and through
// the calls that pass on what they are given.
type flow struct {
	info     *types.Info
	isSource sourceFunc
	fills    fillFunc
	holds    map[types.Object]bool // variables and fields; functions, for what they return
}

type (
	sourceFunc func(*types.Info, *ast.CallExpr) bool     // the call's value is from the source
	fillFunc   func(*types.Info, *ast.CallExpr) ast.Expr // what the call writes such a value to, or nil
)

// newFlow follows the values of a source through the package.
func newFlow(pass *analysis.Pass, isSource sourceFunc, fills fillFunc) *flow {
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
		case *ast.CompositeLit:
			f.fields(n)
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

// fields takes the step of a literal of a struct.
func (f *flow) fields(lit *ast.CompositeLit) {
	t := structType(f.info.TypeOf(lit))
	if t == nil {
		return
	}
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			f.assign([]ast.Expr{kv.Key}, []ast.Expr{kv.Value})
		} else if f.from(e) {
			f.holds[t.Field(i).Origin()] = true
		}
	}
}

// structType is the struct that t is or points to, as in a literal of pointers; nil for others.
func structType(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}

// call takes the step of a call to parameters of the package, or that writes to an argument.
func (f *flow) call(call *ast.CallExpr) {
	if e := f.fills(f.info, call); e != nil {
		f.hold(e)
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "copy" && len(call.Args) == 2 && f.from(call.Args[1]) {
		f.hold(call.Args[0])
	}
	fn := callee(f.info, call)
	if fn == nil {
		return
	}
	if packagePath(fn) == "encoding/binary" && strings.HasPrefix(fn.Name(), "Put") && len(call.Args) == 2 && f.from(call.Args[1]) {
		f.hold(call.Args[0])
	}
	params := fn.Signature().Params()
	for i, e := range call.Args {
		if i = min(i, params.Len()-1); i >= 0 && f.from(e) { // the last may be variadic
			f.holds[params.At(i)] = true
		}
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
	switch e := base(f.info, e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return f.holds[root(f.info, e)]
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && f.from(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
			return false
		}
		return f.from(e.X) || f.from(e.Y)
	case *ast.CompositeLit:
		if structType(f.info.TypeOf(e)) != nil {
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
	if f.isSource(f.info, call) {
		return true
	}
	fun := ast.Unparen(call.Fun)
	if id, ok := fun.(*ast.Ident); ok {
		if b, ok := f.info.ObjectOf(id).(*types.Builtin); ok {
			return slices.Contains([]string{"append", "min", "max"}, b.Name()) && slices.ContainsFunc(call.Args, f.from)
		}
	}
	fn := callee(f.info, call)
	if f.holds[fn] {
		return true
	}
	if fn == nil || !isValue(f.info.TypeOf(call)) {
		return false
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil && f.from(sel.X) {
		return true
	}
	return passesOn(packagePath(fn)) && slices.ContainsFunc(call.Args, f.from)
}

// passesOn reports whether the functions of a package return what they make of their arguments.
func passesOn(path string) bool {
	switch path {
	case "flag", "strings", "strconv", "fmt", "bytes", "math", "math/bits", "slices", "unicode/utf8",
		"crypto/md5", "crypto/sha1", "crypto/sha256", "crypto/sha512":
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
