// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Calls of interfaces. Neither the caller nor the type behind knows the other: the first package
// that imports both brings them together.

package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"slices"
)

// A linkage is a fact of a package and those that it imports: the types that hash, and the calls of
// interfaces that lead to none of them. Who imports both links them, as a linker does symbols.
type linkage struct {
	Types []implementation
	Open  []openCall
}

func (*linkage) AFact() {}

// An implementation is a method that hashes, of a type.
type implementation struct {
	Type    string
	Method  string   // its shape
	Methods []string // the names of all methods of the type
	Route   route
}

// An openCall is a handler's of an interface behind which no type that hashes is known.
type openCall struct {
	At       token.Position
	Route    route
	Password bool // the handler gives a password
}

// maxHops is how many interfaces are followed, one behind the other.
const maxHops = 3

// carrier matches calls, with the types of their arguments, that may carry a password.
var carrier = regexp.MustCompile(passwordName.String() + `|\bpass\b|login|sign_?in|authenticate|net/http\.Request`)

// behind returns the route through a method of an interface, if its call may carry a password.
func (s *summaries) behind(f *types.Func, call *ast.CallExpr) []route {
	if isHandler(f.Signature()) || !s.mayCarryPassword(call) {
		return nil
	}

	recv := f.Signature().Recv().Type()
	return []route{{
		Name:    types.TypeString(recv, nil) + "." + f.Name(),
		Method:  shape(f),
		Methods: methodNames(types.NewMethodSet(recv)),
	}}
}

// mayCarryPassword reports whether a call, or a type of its arguments, names what carries one.
func (s *summaries) mayCarryPassword(call *ast.CallExpr) bool {
	text := types.ExprString(call)
	for _, arg := range call.Args {
		t := s.pass.TypesInfo.TypeOf(arg)
		text += t.String()
		if fields := structType(t); fields != nil {
			text += fields.String()
		}
	}
	return carrier.MatchString(text)
}

// shape is the name of a method and its types.
func shape(f *types.Func) string {
	text := f.Id()
	for _, tuple := range []*types.Tuple{f.Signature().Params(), f.Signature().Results()} {
		text += "("
		for v := range tuple.Variables() {
			text += types.Unalias(v.Type()).String() + ","
		}
		text += ")"
	}
	return text
}

func methodNames(set *types.MethodSet) (names []string) {
	for m := range set.Methods() {
		names = append(names, m.Obj().Id())
	}
	return names
}

// link collects the linkage of the imported packages, and the types of this one.
func (s *summaries) link() (all linkage) {
	for _, p := range s.pass.Pkg.Imports() {
		var imported linkage
		s.pass.ImportPackageFact(p, &imported)
		all.Types = merge(all.Types, imported.Types)
		all.Open = merge(all.Open, imported.Open)
	}

	scope := s.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() || types.IsInterface(t.Type()) || isTest(s.pass, t.Pos()) {
			continue
		}

		set := types.NewMethodSet(types.NewPointer(t.Type()))
		for m := range set.Methods() {
			f := m.Obj().(*types.Func).Origin()
			for _, r := range s.of(f).Routes {
				all.Types = append(all.Types, implementation{
					Type:    t.Type().String(),
					Method:  shape(f),
					Methods: methodNames(set),
					Route:   r,
				})
			}
		}
	}
	return all
}

// merge adds those of more that are not in the list.
func merge[T any](list, more []T) []T {
	for _, x := range more {
		if !slices.ContainsFunc(list, func(y T) bool { return reflect.DeepEqual(x, y) }) {
			list = append(list, x)
		}
	}
	return list
}

// resolve returns the algorithm that a route leads to through so many interfaces at most, "" if
// none is known.
func (l *linkage) resolve(r route, password bool, hops int) string {
	notGiven := r.Optional && !password
	switch {
	case notGiven || hops < 0:
		return ""
	case r.Method == "":
		return r.Name
	}

	for _, t := range l.Types {
		isMissing := func(method string) bool { return !slices.Contains(t.Methods, method) }
		isBehind := t.Method == r.Method && !slices.ContainsFunc(r.Methods, isMissing)
		if !isBehind {
			continue
		}
		if name := l.resolve(t.Route, password, hops-1); name != "" {
			return name
		}
	}
	return ""
}
