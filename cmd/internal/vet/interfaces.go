// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Calls of interfaces. Neither the caller nor the type behind knows the other: the first package that
// imports both brings them together.

package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"slices"
)

// A wiring is the fact of what a package and those that it imports have to bring together.
type wiring struct {
	Types []implementation
	Open  []openCall
}

func (*wiring) AFact() {}

// An implementation is a method by which a type comes to hash.
type implementation struct {
	Type   string
	Method string   // its shape
	Names  []string // of all methods of the type
	Way    way
}

// An openCall is a handler's of an interface behind which no type that hashes is known.
type openCall struct {
	At       token.Position
	Way      way
	Password bool // the handler gives a password
}

// maxHops is how many interfaces are followed, one behind the other.
const maxHops = 3

// carrier matches calls, with the types of their arguments, that may carry a password.
var carrier = regexp.MustCompile(passwordName.String() + `|\bpass\b|login|sign_?in|authenticate|net/http\.Request`)

// behind is the way through a method of an interface, if its call may carry a password.
func (s *summaries) behind(f *types.Func, call *ast.CallExpr) []way {
	if isHandler(f.Signature()) {
		return nil
	}

	text := types.ExprString(call)
	for _, arg := range call.Args {
		t := s.pass.TypesInfo.TypeOf(arg)
		text += t.String()
		if fields := structType(t); fields != nil {
			text += fields.String()
		}
	}
	if !carrier.MatchString(text) {
		return nil
	}

	recv := f.Signature().Recv().Type()
	return []way{{
		Name:   types.TypeString(recv, nil) + "." + f.Name(),
		Method: shape(f),
		Names:  methodNames(types.NewMethodSet(recv)),
	}}
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

// wire collects what the imported packages have to bring together, and the types of this one.
func (s *summaries) wire() (all wiring) {
	for _, p := range s.pass.Pkg.Imports() {
		var of wiring
		s.pass.ImportPackageFact(p, &of)
		all.Types = merge(all.Types, of.Types)
		all.Open = merge(all.Open, of.Open)
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
			for _, w := range s.of(f).Ways {
				all.Types = append(all.Types, implementation{t.Type().String(), shape(f), methodNames(set), w})
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

// algorithm is what a way leads to, "" if nothing is known.
func (w *wiring) algorithm(through way, password bool, hops int) string {
	if through.Optional && !password || hops < 0 {
		return ""
	}
	if through.Method == "" {
		return through.Name
	}

	for _, t := range w.Types {
		lacks := func(name string) bool { return !slices.Contains(t.Names, name) }
		if t.Method != through.Method || slices.ContainsFunc(through.Names, lacks) {
			continue
		}
		if name := w.algorithm(t.Way, password, hops-1); name != "" {
			return name
		}
	}
	return ""
}
