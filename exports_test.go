// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package fount

// The names: fount has what math/rand/v2 has, and Generator what fount has.

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// exports are the signatures of a package's exported functions and methods:
// "IntN" or "Generator.IntN" to "func(int) int".
type exports map[string]string

// readExports reads the .go files of a directory, tests excepted, whatever their
// build constraints.
func readExports(t *testing.T, dir string) (e exports, constructors []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || names == nil {
		t.Fatalf("no Go files in %s: %v", dir, err)
	}
	var sources []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, string(src))
	}
	return parseExports(t, sources...)
}

// parseExports parses the files of one package. The functions that return one of
// its own types or a pointer to it are also listed as constructors.
func parseExports(t *testing.T, sources ...string) (e exports, constructors []string) {
	t.Helper()
	var funcs []*ast.FuncDecl
	own := map[string]ast.Expr{} // the types declared here
	for _, src := range sources {
		f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() {
					funcs = append(funcs, d)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						own[s.Name.Name] = s.Type
					}
				}
			}
		}
	}
	e = exports{}
	for _, d := range funcs {
		name := d.Name.Name
		if d.Recv != nil {
			name = strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + name
		} else if results := fieldTypes(d.Type.Results); len(results) > 0 {
			if _, ok := own[strings.TrimPrefix(results[0], "*")]; ok {
				constructors = append(constructors, name)
			}
		}
		e[name] = signature(d.Type, own)
	}
	slices.Sort(constructors)
	return e, constructors
}

// signature writes a function's type without the names of its parameters, and
// with the constraints that the package declares written out.
func signature(f *ast.FuncType, own map[string]ast.Expr) string {
	var b strings.Builder
	b.WriteString("func")
	if f.TypeParams != nil {
		for _, p := range f.TypeParams.List {
			constraint := types.ExprString(p.Type)
			if x, ok := own[constraint]; ok {
				constraint = types.ExprString(x)
			}
			for _, name := range p.Names {
				fmt.Fprintf(&b, "[%s %s]", name.Name, constraint)
			}
		}
	}
	fmt.Fprintf(&b, "(%s)", strings.Join(fieldTypes(f.Params), ", "))
	if results := fieldTypes(f.Results); len(results) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(results, ", "))
	}
	return b.String()
}

// fieldTypes lists the types of parameters or results, one for each name.
func fieldTypes(fields *ast.FieldList) []string {
	if fields == nil {
		return nil
	}
	var list []string
	for _, f := range fields.List {
		for range max(len(f.Names), 1) {
			list = append(list, types.ExprString(f.Type))
		}
	}
	return list
}

// missingIn lists the names of want, with prefix before them, that have lacks or has
// with another signature.
func (want exports) missingIn(have exports, prefix string) []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got := have[prefix+name]; got == "" {
			list = append(list, fmt.Sprintf("no %s%s %s", prefix, name, want[name]))
		} else if got != want[name] {
			list = append(list, fmt.Sprintf("%s%s is %s, want %s", prefix, name, got, want[name]))
		}
	}
	return list
}

// drawing returns the functions of math/rand/v2 that draw from its global source.
func drawing(t *testing.T) exports {
	t.Helper()
	dir := filepath.Join(build.Default.GOROOT, "src", "math", "rand", "v2")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no source of math/rand/v2 here (with -trimpath its place is not known):", err)
	}
	all, constructors := readExports(t, dir)
	// New, NewPCG, NewChaCha8 and NewZipf draw nothing: they make generators whose
	// values follow from their arguments. Package seeded makes such generators.
	for _, name := range constructors {
		delete(all, name)
	}
	maps.DeleteFunc(all, func(name, _ string) bool { return strings.Contains(name, ".") })
	if len(all) < 18 || all["IntN"] != "func(int) (int)" || !slices.Contains(constructors, "NewPCG") {
		t.Fatalf("math/rand/v2 was misread: functions %v, constructors %v", all, constructors)
	}
	return all
}

func TestExportsOfMathRand(t *testing.T) {
	have, _ := readExports(t, ".")
	want := drawing(t)
	for _, problem := range want.missingIn(have, "") {
		t.Error(problem)
	}
	delete(want, "N") // methods have type parameters from Go 1.27 on
	for _, problem := range want.missingIn(have, "Generator.") {
		t.Error(problem)
	}
}

// notMethods are the exported functions that Generator lacks, and why.
var notMethods = map[string]string{
	"N":             "methods have type parameters from Go 1.27 on",
	"NewGenerator":  "makes the Generator",
	"NewRand":       "rand.New(g) does it: a Generator is a Source of math/rand/v2",
	"ParseUUID":     "draws nothing",
	"MustParseUUID": "draws nothing",
	"Status":        "is about the whole process",
}

func TestExportsOfGenerator(t *testing.T) {
	have, _ := readExports(t, ".")
	want := exports{}
	for name, signature := range have {
		if !strings.Contains(name, ".") && notMethods[name] == "" {
			want[name] = signature
		}
	}
	for _, problem := range want.missingIn(have, "Generator.") {
		t.Error(problem)
	}
	for name := range notMethods {
		if have[name] == "" {
			t.Errorf("notMethods has %s, which does not exist", name)
		}
		if have["Generator."+name] != "" {
			t.Errorf("notMethods has %s, which Generator has", name)
		}
	}
}

// TestExportsControl: the comparison sees a function that is missing, and one with
// another parameter, result or constraint.
func TestExportsControl(t *testing.T) {
	want, constructors := parseExports(t, `package p
		type R struct{}
		type set interface{ ~int | ~int8 }
		func New(x int) *R { return nil }
		func Lost() {}
		func Parameter(a, b int) {}
		func Result() (n int, err error) { return }
		func Set[T set](T) T { panic(0) }
		func Same[T set](x T) T { panic(0) }
		func unexported() {}`)
	if !slices.Equal(constructors, []string{"New"}) {
		t.Errorf("constructors %v, want New", constructors)
	}
	have, _ := parseExports(t, `package p
		func New(y int) *R { return nil }
		func Parameter(a int) {}`, `package p
		type other interface{ ~int }
		type renamed interface{ ~int | ~int8 }
		func Result() int { return 0 }
		func Set[T other](T) T { panic(0) }
		func Same[T renamed](y T) T { panic(0) }
		func (*M) Lost() {}`)
	got := want.missingIn(have, "")
	problems := []string{
		"no Lost func()",
		"Parameter is func(int), want func(int, int)",
		"Result is func() (int), want func() (int, error)",
		"Set is func[T interface{~int}](T) (T), want func[T interface{~int | ~int8}](T) (T)",
	}
	if !slices.Equal(got, problems) {
		t.Errorf("got  %q\nwant %q", got, problems)
	}
	method := exports{"Lost": "func()"}
	if got := method.missingIn(have, "M."); got != nil {
		t.Errorf("method M.Lost: %q", got)
	}
}
