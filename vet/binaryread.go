// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// BinaryRead reports encoding/binary.Read of random bytes into integers.
var BinaryRead = &analysis.Analyzer{Name: "binaryread", Doc: page("binaryread"), Run: runBinaryRead}

func runBinaryRead(pass *analysis.Pass) (any, error) {
	if !importsAny(pass, "encoding/binary") {
		return nil, nil
	}
	r := newReporter(pass)
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				for _, stmt := range n.List {
					call, onError := randomInteger(pass.TypesInfo, stmt)
					switch {
					case call == nil:
					case slices.ContainsFunc(n.List, isLabeled): // a goto may not jump over the declaration
						reportRead(r, call)
					default:
						reportRead(r, call, readFixes(r, stmt, call, onError)...)
					}
				}
			case *ast.CallExpr:
				if integerRead(pass.TypesInfo, n) {
					reportRead(r, n)
				}
			}
			return true
		})
	}
	return nil, nil
}

func isLabeled(stmt ast.Stmt) bool {
	_, ok := stmt.(*ast.LabeledStmt)
	return ok
}

func reportRead(r *reporter, call *ast.CallExpr, fixes ...analysis.SuggestedFix) {
	r.report(call, "binary.Read allocates and asks for type information to read random bytes; fill a buffer on the stack and convert it, "+
		"or call fount.Uint64", fixes...)
}

// integerRead reports whether a call is binary.Read of random bytes into an integer, or an array of them.
func integerRead(info *types.Info, call *ast.CallExpr) bool {
	return isFunction(callee(info, call), "", "Read", "encoding/binary") && len(call.Args) == 3 &&
		isCryptoReader(info, call.Args[0]) && isIntegers(info.TypeOf(call.Args[2]))
}

// isIntegers reports whether t is a pointer to an integer or to an array of them, or a slice of them, bytes left out.
func isIntegers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if a, ok := u.Elem().Underlying().(*types.Array); ok {
			return integerSize(a.Elem()) > 0
		}
		return integerSize(u.Elem()) > 0
	case *types.Slice:
		return integerSize(u.Elem()) > 8
	}
	return false
}

// integerSize is the width in bits of a type of integers, 0 for others.
func integerSize(t types.Type) int {
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
	case types.Int64, types.Uint64:
		return 64
	case types.Int, types.Uint, types.Uintptr:
		return 64
	}
	return 0
}

// randomInteger is the call of a statement that can be rewritten: the call alone, its error dropped, or an if with a body that
// ends on an error.
func randomInteger(info *types.Info, stmt ast.Stmt) (call *ast.CallExpr, onError *ast.IfStmt) {
	var e ast.Expr
	switch s := stmt.(type) {
	case *ast.ExprStmt:
		e = s.X
	case *ast.AssignStmt:
		if id, ok := s.Lhs[0].(*ast.Ident); ok && id.Name == "_" && len(s.Rhs) == 1 {
			e = s.Rhs[0]
		}
	case *ast.IfStmt:
		assign, ok := s.Init.(*ast.AssignStmt)
		if ok && len(assign.Lhs) == 1 && assign.Tok == token.DEFINE && s.Else == nil && ends(info, s.Body) && isErrNotNil(s.Cond, assign.Lhs[0]) {
			e, onError = assign.Rhs[0], s
		}
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || !integerRead(info, call) {
		return nil, nil
	}
	return call, onError
}

// isErrNotNil reports whether cond is "err != nil".
func isErrNotNil(cond, err ast.Expr) bool {
	b, ok := cond.(*ast.BinaryExpr)
	if !ok || b.Op != token.NEQ {
		return false
	}
	x, ok1 := b.X.(*ast.Ident)
	y, ok2 := b.Y.(*ast.Ident)
	e, ok3 := err.(*ast.Ident)
	return ok1 && ok2 && ok3 && x.Name == e.Name && y.Name == "nil"
}

// readFixes fill an array and convert it with the byte order that the call names.
func readFixes(r *reporter, stmt ast.Stmt, call *ast.CallExpr, onError *ast.IfStmt) []analysis.SuggestedFix {
	pass, info := r.pass, r.pass.TypesInfo
	reader, ok1 := ast.Unparen(call.Args[0]).(*ast.SelectorExpr)
	order, ok2 := ast.Unparen(call.Args[1]).(*ast.SelectorExpr)
	target, ok3 := ast.Unparen(call.Args[2]).(*ast.UnaryExpr)
	if !ok1 || !ok2 || !ok3 || target.Op != token.AND {
		return nil
	}
	size := integerSize(info.TypeOf(target.X))
	if size < 16 || packagePath(info.ObjectOf(order.Sel)) != "encoding/binary" {
		return nil
	}
	if _, ok := target.X.(*ast.Ident); !ok {
		return nil // x[f()] would be evaluated after the read instead of before
	}
	buffer := r.freeName(stmt, target.X.(*ast.Ident).Name+"Bytes")
	value := fmt.Sprintf("%s.Uint%d(%s[:])", source(pass.Fset, order), size, buffer)
	if t := types.Unalias(info.TypeOf(target.X)); !slices.Contains([]types.Type{types.Typ[types.Uint16], types.Typ[types.Uint32], types.Typ[types.Uint64]}, t) {
		name := types.TypeString(t, types.RelativeTo(pass.Pkg))
		if _, obj := pass.Pkg.Scope().Innermost(stmt.Pos()).LookupParent(name, stmt.Pos()); obj == nil || !types.Identical(obj.Type(), t) || !isTypeName(obj) {
			return nil // it is of another package, has type arguments, or its name means something else here
		}
		value = name + "(" + value + ")"
	}
	newLine := "\n" + strings.Repeat("\t", pass.Fset.Position(stmt.Pos()).Column-1)
	declare := fmt.Sprintf("var %s [%d]byte%s", buffer, size/8, newLine)
	read := source(pass.Fset, reader.X) + ".Read(" + buffer + "[:])"
	convert := newLine + source(pass.Fset, target.X) + " = " + value
	change := fix("Fill an array and convert it", stmt.Pos(), stmt.End(), declare+read+convert)
	if onError != nil {
		err := source(pass.Fset, onError.Init.(*ast.AssignStmt).Lhs[0])
		change.TextEdits = []analysis.TextEdit{
			{Pos: stmt.Pos(), End: onError.Body.Pos(), NewText: []byte(declare + "if _, " + err + " := " + read + "; " + err + " != nil ")},
			{Pos: stmt.End(), End: stmt.End(), NewText: []byte(convert)},
		}
	}
	return []analysis.SuggestedFix{change}
}

func isTypeName(obj types.Object) bool {
	_, ok := obj.(*types.TypeName)
	return ok
}
