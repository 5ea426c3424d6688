// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// UnknownUser reports functions that answer for a user whom they did not find without the hash that a wrong password costs.
var UnknownUser = &analysis.Analyzer{Name: "unknownuser", Doc: page("unknownuser"), Run: runUnknownUser, Requires: []*analysis.Analyzer{hashing}}

func runUnknownUser(pass *analysis.Pass) (any, error) {
	r := newReporter(pass)
	h := pass.ResultOf[hashing].(*hashCalls)
	for _, file := range pass.Files {
		for _, f := range functions(file) {
			s := signIn{h, pass.TypesInfo, f.body}
			for _, found := range s.lookups() {
				if guard := s.early(found); guard != nil {
					r.report(guard, "an unknown user is answered before any password is hashed, so the time tells which users exist; "+
						"compare with the hash of no one")
				}
			}
		}
	}
	return nil, nil
}

// signIn is a body that may look up a user and compare a password.
type signIn struct {
	*hashCalls
	info *types.Info
	body *ast.BlockStmt
}

// A lookup is a statement that asks for a user by name.
type lookup struct {
	stmt ast.Stmt
	objs map[types.Object]bool // what it sets
}

// lookups are those of a body, function literals left out.
func (s signIn) lookups() (found []lookup) {
	ast.Inspect(s.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if len(n.Rhs) != 1 || !s.asksByName(n.Rhs[0]) {
				break
			}
			objs := make(map[types.Object]bool)
			add := func(e ast.Expr) {
				if obj := owner(s.info, e); obj != nil && obj.Name() != "_" {
					objs[obj] = true
				}
			}
			for _, e := range n.Lhs {
				add(e)
			}
			ast.Inspect(n.Rhs[0], func(n ast.Node) bool { // Scan(&hash)
				if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND {
					add(u.X)
				}
				return true
			})
			found = append(found, lookup{n, objs})
		}
		return true
	})
	return found
}

// owner is the variable at the front of an expression: u for u.Name.
func owner(info *types.Info, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.ObjectOf(e)
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			if _, isPackage := info.ObjectOf(id).(*types.PkgName); isPackage {
				return info.ObjectOf(e.Sel)
			}
		}
		return owner(info, e.X)
	case *ast.IndexExpr:
		return owner(info, e.X)
	case *ast.StarExpr:
		return owner(info, e.X)
	}
	return nil
}

// What users are called by, and what stands for one who has signed in before.
var (
	byWords    = []string{"username", "uname", "user", "name", "email", "mail", "login", "account", "identifier", "identity", "handle", "phone"}
	knownWords = []string{"session", "claims", "current", "token", "jwt", "cookie", "self", "me"}
	byName     = regexp.MustCompile(`By(User)?(Name|Email|Mail|Login|Account|Handle|Phone)`)
	whereName  = regexp.MustCompile(`(?i)\b(user_?name|email|login|name|account|handle|phone)["` + "`" + `\]]?\s*\)?\s*(=|==|LIKE|ILIKE|IN)\s*\(?\s*(LOWER\()?(\?|\$|:|@|%)`)
)

// asksByName reports whether an expression asks something, a store or a map, for the user of a name.
func (s signIn) asksByName(e ast.Expr) bool {
	named, known := false, false
	text := func(e ast.Expr) {
		if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = u.X
		}
		t := s.info.TypeOf(e)
		if t == nil {
			return
		}
		if v := s.info.Types[e].Value; v != nil {
			named = named || v.Kind() == constant.String && whereName.MatchString(constant.StringVal(v))
			return
		}
		if b, ok := t.Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
			return
		}
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				ws := words(id.Name)
				known = known || slices.ContainsFunc(ws, func(w string) bool { return slices.Contains(knownWords, w) })
			}
			return true
		})
		if name := lastName(e); name != "" {
			ws := words(name)
			named = named || len(ws) > 0 && slices.Contains(byWords, ws[len(ws)-1])
		}
	}
	if s.hashes(e) {
		return false // it compares as well: what it does for unknown users is seen in it
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		if _, ok := s.info.TypeOf(e.X).Underlying().(*types.Map); !ok {
			return false
		}
		text(e.Index)
	case *ast.CallExpr:
		if isConversion(s.info, e) || !s.canMiss(e) {
			return false
		}
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if f := callee(s.info, n); f != nil {
					named = named || byName.MatchString(f.Name())
				}
				for _, arg := range n.Args {
					text(arg)
				}
			case *ast.KeyValueExpr:
				text(n.Value)
			}
			return true
		})
	default:
		return false
	}
	return named && !known
}

// canMiss reports whether a call can say that there is no such user: by an error, a truth or a nil.
func (s signIn) canMiss(call *ast.CallExpr) bool {
	f := callee(s.info, call)
	if path := packagePath(f); f != nil && slices.Contains([]string{"strings", "fmt", "net/url", "strconv", "encoding/json", "regexp", "errors"}, path) {
		return false
	}
	if f != nil && regexp.MustCompile(`^(?i)(create|new|add|insert|register|update|save|set|delete|valid|parse|decode|bind|normali|render|execute|exec|send|log)`).MatchString(f.Name()) {
		return false
	}
	t := s.info.TypeOf(call)
	if tuple, ok := t.(*types.Tuple); ok {
		if tuple.Len() == 0 {
			return false
		}
		t = tuple.At(tuple.Len() - 1).Type()
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.Bool
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map:
		return true
	}
	return false
}

// lastName is the name at the end of an expression: the field for a.b, the variable, the method for a call without arguments.
func lastName(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.StarExpr:
		return lastName(e.X)
	case *ast.CallExpr:
		if len(e.Args) == 1 { // a conversion, strings.ToLower, FormValue("name")
			if lit, ok := ast.Unparen(e.Args[0]).(*ast.BasicLit); ok && lit.Kind == token.STRING {
				return lit.Value
			}
			return lastName(e.Args[0])
		}
		if len(e.Args) == 0 {
			return lastName(e.Fun)
		}
	}
	return ""
}

// hashes reports whether a node calls something that hashes.
func (s signIn) hashes(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && s.of(call) != nil {
			found = true
		}
		return !found
	})
	return found
}

// early is where the user's absence answers before the comparison with the user's hash, nil if nowhere, or if something else is
// hashed in the user's place.
func (s signIn) early(l lookup) (at ast.Node) {
	compare := s.compare(l)
	if compare == nil || s.hashesInstead(l, compare) {
		return nil
	}
	sure := false // at asks for the user, not for any error
	take := func(n ast.Node, cond ast.Expr) {
		asks, isSure := s.asksAbsence(cond, l.objs)
		if asks && (at == nil || isSure && !sure) {
			at, sure = n, isSure
		}
	}
	ast.Inspect(s.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return contains(n, compare)
		case *ast.IfStmt:
			switch {
			case n.Cond.Pos() < l.stmt.End() || n.Pos() > compare.Pos():
			case contains(n.Body, compare): // if u != nil { compare }
				take(compare, n.Cond)
			case n.End() <= compare.Pos() && ends(s.info, n.Body):
				take(n, n.Cond)
			}
		case *ast.BinaryExpr: // err != nil || !matches(u.Hash)
			if (n.Op == token.LAND || n.Op == token.LOR) && n.Pos() > l.stmt.End() && contains(n.Y, compare) {
				take(compare, n.X)
			}
		}
		return true
	})
	return at
}

// hashesInstead reports whether a body hashes something else before the comparison, or in the other branch of an if that asks
// whether the lookup found someone.
func (s signIn) hashesInstead(l lookup, compare *ast.CallExpr) (found bool) {
	other := func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && call != compare && s.of(call) != nil
	}
	ast.Inspect(s.body, func(n ast.Node) bool {
		if guard, ok := n.(*ast.IfStmt); ok {
			if asks, _ := s.asksAbsence(guard.Cond, l.objs); asks {
				ast.Inspect(guard, func(n ast.Node) bool { found = found || other(n); return !found })
			}
		}
		found = found || other(n) && n.Pos() < compare.Pos()
		return !found
	})
	return found
}

func contains(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}

// asksAbsence reports whether a condition asks if the lookup found no one: it is about an error, a truth or nil. It is sure unless
// any error would do.
func (s signIn) asksAbsence(cond ast.Expr, objs map[types.Object]bool) (asks, sure bool) {
	others := false // it asks for the errors that are not about the user
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if call, ok := ast.Unparen(n.X).(*ast.CallExpr); ok && n.Op == token.NOT && isFunction(callee(s.info, call), "", "Is", "errors") {
				others = true // err != nil && !errors.Is(err, sql.ErrNoRows)
				return false
			}
		case *ast.BinaryExpr:
			if n.Op != token.EQL && n.Op != token.NEQ {
				break
			}
			for _, pair := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
				id, ok := ast.Unparen(pair[0]).(*ast.Ident)
				if !ok {
					continue
				}
				if obj := s.info.ObjectOf(id); objs[obj] && !s.hashes(pair[1]) {
					asks = true
					sure = sure || !types.Implements(obj.Type(), errorType) || !s.info.Types[pair[1]].IsNil()
				}
			}
		case *ast.Ident:
			if obj := s.info.ObjectOf(n); objs[obj] && types.Identical(obj.Type(), types.Typ[types.Bool]) {
				asks, sure = true, true
			}
		case *ast.CallExpr:
			if isFunction(callee(s.info, n), "", "Is", "errors") && mentions(s.info, n, objs) {
				asks, sure = true, true
			}
		}
		return true
	})
	return asks && !others, sure
}

// compare is the call after a lookup that compares with what the lookup found.
func (s signIn) compare(l lookup) (compare *ast.CallExpr) {
	objs := make(map[types.Object]bool)
	for obj := range l.objs {
		if !types.Implements(obj.Type(), errorType) && !types.Identical(obj.Type(), types.Typ[types.Bool]) {
			objs[obj] = true
		}
	}
	ast.Inspect(s.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Pos() > l.stmt.Pos() && len(n.Rhs) == 1 && mentions(s.info, n.Rhs[0], objs) {
				for _, e := range n.Lhs {
					if obj := owner(s.info, e); obj != nil && !types.Implements(obj.Type(), errorType) {
						objs[obj] = true
					}
				}
			}
		case *ast.CallExpr:
			fact := s.of(n)
			if compare == nil && fact != nil && fact.Compares && n.Pos() > l.stmt.Pos() && mentions(s.info, n, objs) {
				compare = n
			}
		}
		return true
	})
	return compare
}
