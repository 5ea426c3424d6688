// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// WeakSecret reports tokens, keys, nonces, session IDs and passwords that are made of math/rand's values.
var WeakSecret = &analysis.Analyzer{Name: "weaksecret", Doc: page("weaksecret"), Run: runWeakSecret, FactTypes: []analysis.Fact{new(weakResult)}}

// A weakResult is the fact that a function returns text or bytes that it made of math/rand's values.
type weakResult struct{}

func (*weakResult) AFact()         {}
func (*weakResult) String() string { return "made of math/rand" }

func runWeakSecret(pass *analysis.Pass) (any, error) {
	if !importsAny(pass, weakPackages...) && len(pass.AllObjectFacts()) == 0 {
		return nil, nil
	}
	info := pass.TypesInfo
	isSource := func(call *ast.CallExpr) bool {
		f := callee(info, call)
		return isWeak(f) || f != nil && f.Pkg() != pass.Pkg && pass.ImportObjectFact(f, new(weakResult))
	}
	weak := newFlow(pass, isSource, func(call *ast.CallExpr) ast.Expr { return weaklyFilled(info, call) }, true)
	exportWeak(pass, weak)

	s := secrets{newReporter(pass), weak}
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
				s.returned(f)
			}
			ast.Inspect(decl, func(n ast.Node) bool { s.look(n); return true })
		}
	}
	return nil, nil
}

// isWeak reports whether f returns values of math/rand, and not a generator.
func isWeak(f *types.Func) bool {
	if f == nil || !slices.Contains(weakPackages, packagePath(f)) || strings.HasPrefix(f.Name(), "New") || receiver(f) == "ChaCha8" {
		return false
	}
	results := f.Signature().Results()
	return results.Len() == 1 && isValue(results.At(0).Type())
}

// weaklyFilled is what a call fills with bytes of math/rand, or nil.
func weaklyFilled(info *types.Info, call *ast.CallExpr) ast.Expr {
	f := callee(info, call)
	switch {
	case isReadOfWeak(f):
		return call.Args[0]
	case isFunction(f, "", "ReadFull", "io") && isWeakGenerator(info.TypeOf(call.Args[0])):
		return call.Args[1]
	}
	return nil
}

func isReadOfWeak(f *types.Func) bool {
	return f != nil && f.Name() == "Read" && (packagePath(f) == "math/rand" || packagePath(f) == "golang.org/x/exp/rand")
}

func isWeakGenerator(t types.Type) bool {
	return slices.ContainsFunc(weakPackages, func(path string) bool { return isType(t, path, "Rand") })
}

// exportWeak tells the packages that import this one which functions return weak text or bytes.
func exportWeak(pass *analysis.Pass, weak *flow) {
	for obj := range weak.holds {
		if f, ok := obj.(*types.Func); ok && !isTestFunc(pass, f) {
			for v := range f.Signature().Results().Variables() {
				if isText(v.Type()) {
					pass.ExportObjectFact(f, new(weakResult))
					break
				}
			}
		}
	}
}

func isTestFunc(pass *analysis.Pass, f *types.Func) bool {
	return strings.HasSuffix(pass.Fset.Position(f.Pos()).Filename, "_test.go")
}

// secrets looks for places that hold secrets, and asks where their values come from.
type secrets struct {
	*reporter
	weak *flow
}

const secretMessage = " is made of math/rand's values, which can be predicted; use crypto/rand or fount"

func (s secrets) secret(at ast.Node, name string, fixes ...analysis.SuggestedFix) {
	s.report(at, name+secretMessage, fixes...)
}

// returned reports what a function returns whose name says that it makes a secret.
func (s secrets) returned(f *ast.FuncDecl) {
	results := s.pass.TypesInfo.Defs[f.Name].(*types.Func).Signature().Results()
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) != results.Len() {
				break
			}
			for i, e := range n.Results {
				if isSecret(f.Name.Name, results.At(i).Type()) && s.weak.from(e) {
					s.secret(e, "what "+f.Name.Name+" returns")
				}
			}
		}
		return true
	})
}

// look reports variables, fields and arguments that hold a secret, and are given a weak one.
func (s secrets) look(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		s.assigned(n.Lhs, n.Rhs)
	case *ast.ValueSpec:
		s.assigned(left(n), n.Values)
	case *ast.KeyValueExpr:
		if id, ok := n.Key.(*ast.Ident); ok {
			if field, ok := s.pass.TypesInfo.ObjectOf(id).(*types.Var); ok && field.IsField() {
				s.given(n.Value, id.Name, field.Type())
			}
		}
	case *ast.CompositeLit:
		literal := s.pass.TypesInfo.TypeOf(n).Underlying()
		if p, ok := literal.(*types.Pointer); ok { // of []*T{{}}
			literal = p.Elem().Underlying()
		}
		t, ok := literal.(*types.Struct)
		for i, e := range n.Elts {
			if _, keyed := e.(*ast.KeyValueExpr); ok && !keyed {
				s.given(e, t.Field(i).Name(), t.Field(i).Type())
			}
		}
	case *ast.CallExpr:
		s.called(n)
	}
}

func (s secrets) assigned(left, right []ast.Expr) {
	for i, e := range left {
		var value ast.Expr
		switch {
		case len(left) == len(right):
			value = right[i]
		case len(right) == 1:
			value = right[0]
		default:
			return
		}
		obj := root(s.pass.TypesInfo, e)
		if obj == nil {
			continue
		}
		t := obj.Type()
		if _, ok := ast.Unparen(e).(*ast.IndexExpr); !ok { // an element is of its array
			t = s.pass.TypesInfo.TypeOf(e)
		}
		s.given(value, obj.Name(), t)
	}
}

// given reports a value that is put where the name says that a secret is.
func (s secrets) given(value ast.Expr, name string, t types.Type) {
	if isSecret(name, t) && s.weak.from(value) {
		s.secret(value, name)
	}
}

// called reports calls that fill a secret, or hand a weak value or generator to cryptography.
func (s secrets) called(call *ast.CallExpr) {
	info := s.pass.TypesInfo
	if e := weaklyFilled(info, call); e != nil {
		if obj := root(info, e); obj != nil && isSecret(obj.Name(), obj.Type()) {
			s.secret(call, obj.Name(), s.readFixes(call)...)
		}
	}
	f := callee(info, call)
	if !isCryptography(packagePath(f)) {
		return
	}
	for i, e := range call.Args {
		params := f.Signature().Params()
		switch {
		case isWeakGenerator(info.TypeOf(e)):
			s.secret(e, "what "+f.Name()+" draws")
		case i < params.Len() && slices.Contains([]string{"key", "iv", "nonce", "seed", "salt"}, params.At(i).Name()) && s.weak.from(e):
			s.secret(e, "the "+params.At(i).Name()+" of "+f.Name())
		}
	}
}

// isCryptography reports whether the package's keys, nonces and readers have to be secret or unpredictable.
func isCryptography(path string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(path, "golang.org/x/"), "crypto/")
	return ok && !slices.Contains([]string{"md5", "sha1", "sha256", "sha512", "sha3", "subtle", "rand"}, rest)
}

// readFixes call crypto/rand.Read instead of math/rand's function.
func (s secrets) readFixes(call *ast.CallExpr) []analysis.SuggestedFix {
	f := callee(s.pass.TypesInfo, call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	file := fileOf(s.pass, call)
	if !ok || receiver(f) != "" || packagePath(f) != "math/rand" {
		return nil
	}
	if _, taken := s.pass.Pkg.Scope().Innermost(call.Pos()).LookupParent("cryptorand", call.Pos()); taken != nil {
		return nil
	}
	for _, spec := range file.Imports {
		if spec.Path.Value == "`crypto/rand`" || spec.Path.Value == "\"crypto/rand\"" {
			return nil
		}
	}
	for _, spec := range file.Imports {
		if spec.Path.Value == "\"math/rand\"" {
			change := fix("Call crypto/rand.Read", sel.X.Pos(), sel.X.End(), "cryptorand")
			change.TextEdits = append(change.TextEdits, analysis.TextEdit{Pos: spec.Pos(), End: spec.Pos(), NewText: []byte(s.newImport(file, spec))})
			return []analysis.SuggestedFix{change}
		}
	}
	return nil
}

// newImport is the import to put before another, which may stand alone behind the keyword.
func (s secrets) newImport(file *ast.File, spec *ast.ImportSpec) string {
	const text = "cryptorand \"crypto/rand\"\n"
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && !d.Lparen.IsValid() && slices.Contains(d.Specs, ast.Spec(spec)) {
			return text + "import "
		}
	}
	return text
}

// isText reports whether t is a string, bytes or an array of bytes.
func isText(t types.Type) bool {
	isByte := func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Kind() == types.Uint8
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		return isByte(u.Elem()) || isRune(u.Elem())
	case *types.Array:
		return isByte(u.Elem())
	case *types.Pointer:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Info()&types.IsString != 0
	}
	return false
}

func isRune(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Int32
}

// What the last words of a name say of the value. A code is a secret only if the word before says what it opens.
var (
	secretWords = []string{"token", "secret", "password", "passwd", "passphrase", "nonce", "salt", "csrf", "xsrf", "apikey", "sessionid", "sessid"}
	codeWords   = []string{"otp", "totp", "passcode", "pincode"}
	keyKinds    = []string{"api", "session", "private", "secret", "encryption", "signing", "access", "auth", "aes", "hmac", "master", "jwt", "cookie"}
	codeKinds   = []string{"verification", "verify", "confirmation", "confirm", "reset", "recovery", "activation", "invite", "invitation", "login", "auth",
		"authorization", "sms", "pin", "backup"}
	afterWords = []string{"string", "str", "bytes", "value", "val", "hex", "raw", "buf", "base"} // say how it is written
	joints     = []string{"with", "for", "from", "of", "by", "using", "n"}                       // begin what is said of it
	notSecret  = []string{"fake", "dummy", "mock", "example", "sample", "test"}
)

// isSecret reports whether a variable or function of that name holds, or makes, a secret of the type.
func isSecret(name string, t types.Type) bool {
	ws := words(name)
	if i := slices.IndexFunc(ws, func(w string) bool { return slices.Contains(joints, w) }); i > 0 {
		ws = ws[:i]
	}
	for len(ws) > 1 && slices.Contains(afterWords, ws[len(ws)-1]) {
		ws = ws[:len(ws)-1]
	}
	if len(ws) == 0 || slices.ContainsFunc(ws, func(w string) bool { return slices.Contains(notSecret, w) }) {
		return false
	}
	last, before := ws[len(ws)-1], ""
	if len(ws) > 1 {
		before = ws[len(ws)-2]
	}
	b, isBasic := t.Underlying().(*types.Basic)
	isNumber := isBasic && b.Info()&types.IsInteger != 0
	switch {
	case slices.Contains(codeWords, last), last == "code" && slices.Contains(codeKinds, before):
		return isText(t) || isNumber
	case slices.Contains(secretWords, last), last == "key" && slices.Contains(keyKinds, before), last == "id" && before == "session":
		return isText(t)
	}
	return false
}
