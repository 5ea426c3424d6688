// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Questions about code that several analyzers ask.

package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"
)

// The packages of weak generators. The last is where math/rand/v2 was tried out.
var weakPackages = []string{"math/rand", "math/rand/v2", "golang.org/x/exp/rand"}

// library is fount's import path, whatever name the module was published under.
var library = strings.TrimSuffix(reflect.TypeFor[reporter]().PkgPath(), "/cmd/internal/vet")

// callee returns the function or method that a call names, or nil if only the run knows.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	f, _ := typeutil.Callee(info, call).(*types.Func)
	if f == nil {
		return nil
	}
	return f.Origin()
}

// packagePath is the import path of what declares obj, without the vendor folder; "" if nothing
// does. It takes a nil *types.Func, which stands for a call that is not of a known function.
func packagePath(obj types.Object) string {
	if f, ok := obj.(*types.Func); obj == nil || ok && f == nil || obj.Pkg() == nil {
		return ""
	}
	path := obj.Pkg().Path()
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		path = path[i+len("/vendor/"):]
	}
	return path
}

// isFunction reports whether f is that function of one of the packages, or recv's method.
func isFunction(f *types.Func, recv, name string, paths ...string) bool {
	return f != nil && f.Name() == name && receiver(f) == recv && slices.Contains(paths, packagePath(f))
}

// receiver is the name of the type that has the method, "" for a function.
func receiver(f *types.Func) string {
	if recv := f.Signature().Recv(); recv != nil && typeObject(recv.Type()) != nil {
		return typeObject(recv.Type()).Name()
	}
	return ""
}

// typeObject is where a defined type, or what it points to, is declared.
func typeObject(t types.Type) *types.TypeName {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj()
	}
	return nil
}

// importsAny reports whether the package imports one of these. Most do not, and need no closer
// look.
func importsAny(pass *analysis.Pass, paths ...string) bool {
	return slices.ContainsFunc(pass.Pkg.Imports(), func(p *types.Package) bool { return slices.Contains(paths, p.Path()) })
}

// isType reports whether t, or what it points to, is the defined type path.name.
func isType(t types.Type, path, name string) bool {
	obj := typeObject(t)
	return obj != nil && obj.Name() == name && packagePath(obj) == path
}

// root returns the variable or field that e is a part of: x of x[i], &x, x[i:j], *x, and f of a.f.
func root(info *types.Info, e ast.Expr) types.Object {
	var obj types.Object
	switch e := base(info, e).(type) {
	case *ast.Ident:
		obj = info.ObjectOf(e)
	case *ast.SelectorExpr:
		obj = info.ObjectOf(e.Sel)
	}
	if v, ok := obj.(*types.Var); ok {
		return v.Origin() // of a generic type
	}
	return obj
}

// base returns the expression that e is a part of, points to, or converts.
func base(info *types.Info, e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if whole := outer(info, e); whole != nil {
		return base(info, whole)
	}
	return e
}

// outer returns what e is a part of, points to, or converts by one step, or nil.
func outer(info *types.Info, e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return e.X
	case *ast.SliceExpr:
		return e.X
	case *ast.StarExpr:
		return e.X
	case *ast.TypeAssertExpr:
		return e.X
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return e.X
		}
	case *ast.CallExpr:
		if isConversion(info, e) {
			return e.Args[0]
		}
	}
	return nil
}

// isBuiltin reports whether a call is of one of the builtin functions named.
func isBuiltin(info *types.Info, call *ast.CallExpr, names ...string) bool {
	b, ok := typeutil.Callee(info, call).(*types.Builtin)
	return ok && slices.Contains(names, b.Name())
}

func isConversion(info *types.Info, call *ast.CallExpr) bool {
	return len(call.Args) == 1 && info.Types[call.Fun].IsType()
}

// constantInt is the value of a constant that is an integer.
func constantInt(info *types.Info, e ast.Expr) (n uint64, ok bool) {
	v := info.Types[e].Value
	if v == nil {
		return 0, false
	}

	v = constant.ToInt(v)
	if v.Kind() != constant.Int {
		return 0, false
	}
	return constant.Uint64Val(v)
}

// isCryptoReader reports whether an expression is crypto/rand.Reader or fount.Reader.
func isCryptoReader(info *types.Info, e ast.Expr) bool {
	obj := root(info, e)
	return obj != nil && obj.Name() == "Reader" && slices.Contains([]string{"crypto/rand", library}, packagePath(obj))
}

// integerSize is the width in bits of a type of integers, 0 for others.
func integerSize(t types.Type) int {
	if t == nil {
		return 0
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return 0
	}
	switch b.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	case types.Int64, types.Uint64, types.Int, types.Uint, types.Uintptr:
		return 64
	}
	return 0
}
