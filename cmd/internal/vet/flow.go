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
	"golang.org/x/tools/go/ast/inspector"
)

// A flow follows values through one package, without order or conditions: to what is assigned, the
// parameters of its functions, the fields of struct literals, what a function returns, and through
// the calls that pass on what they are given.
type flow struct {
	info     *types.Info
	origins  map[types.Object]origin // variables and fields; functions, for what they return
	compared map[types.Object]bool   // variables and fields that may be rejected

	round   int // how often all files were walked
	changed bool
}

// maxRounds is how often a package is walked until a variable that still gains bits is taken for one
// that a loop computes. The sums of functions are repeated as often at most.
const maxRounds = 16

// newFlow follows the values of the package.
func newFlow(pass *analysis.Pass) *flow {
	f := &flow{
		info:     pass.TypesInfo,
		origins:  make(map[types.Object]origin),
		compared: make(map[types.Object]bool),
	}
	f.compare(pass.Files)

	for {
		f.changed = false
		for _, file := range pass.Files {
			if !isTest(pass, file.Pos()) { // tests put anything anywhere
				f.walk(file, nil)
			}
		}
		if !f.changed {
			return f
		}
		f.round++
	}
}

// compare marks the variables that the code compares, as less or more, with something other than
// zero: it may reject those that are too large.
func (f *flow) compare(files []*ast.File) {
	mark := func(e, with ast.Expr) {
		n, isConst := constantInt(f.info, with)
		isSign := isConst && n == 0
		if obj := root(f.info, e); obj != nil && !isSign {
			f.compared[obj] = true
		}
	}

	for b := range inspector.All[*ast.BinaryExpr](inspector.New(files)) {
		switch b.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ:
			mark(b.X, b.Y)
			mark(b.Y, b.X)
		}
	}
}

// walk takes the steps below a node. Its returns are those of function.
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
			if function != nil {
				f.returns(n, function)
			}
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				f.assign(n.Lhs, n.Rhs)
			} else {
				f.note(n.Lhs[0], f.binary(assigned(n.Tok), n.Lhs[0], n.Rhs[0]))
			}
		case *ast.ValueSpec:
			f.assign(left(n), n.Values)
		case *ast.RangeStmt:
			if n.Value != nil {
				f.note(n.Value, f.from(n.X))
			}
		case *ast.CompositeLit:
			f.fields(n)
		case *ast.CallExpr:
			f.call(n)
		}
		return true
	})
}

// returns takes the step of a return from a function.
func (f *flow) returns(n *ast.ReturnStmt, function *types.Func) {
	for _, e := range n.Results {
		if isValue(f.info.TypeOf(e)) {
			f.add(function, f.from(e))
		}
	}

	if len(n.Results) == 0 { // named results
		for v := range function.Signature().Results().Variables() {
			f.add(function, f.variable(v))
		}
	}
}

// assigned is the operator of an assignment such as +=. Package token declares the operators and
// their assignments in the same order.
func assigned(op token.Token) token.Token { return op - token.ADD_ASSIGN + token.ADD }

func (f *flow) assign(left, right []ast.Expr) {
	if len(left) == len(right) {
		for i, e := range right {
			f.note(left[i], f.from(e))
		}
		return
	}
	if len(right) != 1 {
		return
	}

	o := f.from(right[0])
	for _, e := range left {
		if isValue(f.info.TypeOf(e)) {
			f.note(e, o)
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
			f.note(kv.Key, f.from(kv.Value))
		} else {
			f.add(t.Field(i).Origin(), f.from(e))
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
	if e := filled(f.info, call); e != nil {
		f.note(e, origin{bits: 64, kernel: 64})
	}

	fn := callee(f.info, call)
	isPut := packagePath(fn) == "encoding/binary" && strings.HasPrefix(fn.Name(), "Put") && len(call.Args) == 2
	if isPut || isBuiltin(f.info, call, "copy") {
		f.note(call.Args[0], f.from(call.Args[1]))
	}
	if fn == nil {
		return
	}

	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		f.add(fn.Signature().Recv(), f.from(sel.X))
	}

	params := fn.Signature().Params()
	for i, e := range call.Args {
		i = min(i, params.Len()-1) // the last may be variadic
		if i >= 0 {
			f.add(params.At(i), f.from(e))
		}
	}
}

// note records that what e stands for, or is a part of, holds a value of that origin.
func (f *flow) note(e ast.Expr, o origin) {
	if obj, ok := root(f.info, e).(*types.Var); ok && obj.Name() != "_" {
		f.add(obj, o)
	}
}

// add adds an origin to those of an object.
func (f *flow) add(obj types.Object, o origin) {
	before := f.origins[obj]
	after := before.or(o)
	if after == before {
		return
	}

	isComputedInLoop := f.round > maxRounds && after.bits > before.bits
	if isComputedInLoop {
		after.bits = 64
	}
	f.origins[obj] = after
	f.changed = true
}

// from returns the origin of the value of e.
func (f *flow) from(e ast.Expr) origin {
	e = ast.Unparen(e)
	o := f.parts(e)
	if size := integerSize(f.info.TypeOf(e)); size > 0 {
		o = o.cut(size)
	}
	return o
}

func (f *flow) parts(e ast.Expr) origin {
	if whole := outer(f.info, e); whole != nil {
		return f.from(whole)
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return f.variable(root(f.info, e))
	case *ast.UnaryExpr:
		if e.Op != token.ARROW {
			return f.from(e.X)
		}
	case *ast.BinaryExpr:
		return f.binary(e.Op, e.X, e.Y)
	case *ast.CompositeLit:
		if structType(f.info.TypeOf(e)) == nil {
			return f.anyOf(e.Elts)
		}
	case *ast.KeyValueExpr:
		return f.from(e.Value)
	case *ast.CallExpr:
		return f.fromCall(e)
	}
	return origin{}
}

// variable returns the origin of what a variable or a field holds.
func (f *flow) variable(obj types.Object) origin {
	o := f.origins[obj]
	if f.compared[obj] {
		o.bits = 0
	}
	return o
}

// anyOf returns the origin of a value that has any of the expressions as a part.
func (f *flow) anyOf(list []ast.Expr) (o origin) {
	for _, e := range list {
		o = o.or(f.from(e))
	}
	return o
}

func (f *flow) fromCall(call *ast.CallExpr) origin {
	if o := f.source(call); o != (origin{}) {
		return o
	}
	if isBuiltin(f.info, call, "append", "min", "max") {
		return f.anyOf(call.Args)
	}

	fn := callee(f.info, call)
	if fn == nil || !isValue(f.info.TypeOf(call)) {
		return origin{}
	}

	o := f.origins[fn]
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		o = o.or(f.from(sel.X))
	}
	if passesOn(packagePath(fn)) {
		o = o.or(f.anyOf(call.Args))
	}
	return o
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
