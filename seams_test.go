// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// What weakens a guarantee is not in a normal build.

package fount_test

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// seams are the functions and variables by which tests weaken the library from another package. What is in
// internal/seam calls those of the packages that users import.
var seams = []string{
	"internal/processor.Pretend",
	"internal/seam.Advance", "internal/seam.Forget", "internal/seam.SetDevices", "internal/seam.SetFault", "internal/seam.SetOff",
	"internal/seam.SetRoute", "internal/seam.SetUnwiped", "internal/seam.SetWord",
}

// variables are what a normal build reads of its environment.
var variables = []string{"FOUNT_CHACHA", "FOUNT_NUMA_NODES"}

func TestSeamsNeedTheirTag(t *testing.T) {
	var tagged, read []string
	for _, f := range libraryFiles(t) {
		if named := isSeam(f.path); f.tagged != named {
			t.Errorf("%s: in a build with the tag %s alone: %v, named as a seam: %v", f.path, seamTag, f.tagged, named)
		}
		if f.tagged {
			tagged = append(tagged, f.exported()...)
			continue
		}
		for name := range f.declared {
			if slices.Contains(seams, name) {
				t.Errorf("%s is in a normal build", name)
			}
		}
		read = append(read, f.variables()...)
	}
	slices.Sort(tagged)
	if tagged = slices.Compact(tagged); !slices.Equal(tagged, seams) {
		t.Errorf("the seams of a build with the tag %s are %q, want %q", seamTag, tagged, seams)
	}
	slices.Sort(read)
	if !slices.Equal(read, variables) {
		t.Errorf("a normal build reads the variables %q, want %q", read, variables)
	}
}

// forTests is the folder of what only tests import.
const forTests = "internal/test"

// seamTag is the build tag of all seams.
const seamTag = "fount_test"

// isSeam reports whether a file is named as one: seam_on.go, or seam_replay.go and the like, but not its twin.
func isSeam(path string) bool {
	name := filepath.Base(path)
	return path == "internal/seam/seam.go" || strings.HasPrefix(name, "seam_") && !strings.HasPrefix(name, "seam_off")
}

// A libraryFile is one that programs link.
type libraryFile struct {
	path     string
	syntax   *ast.File
	tagged   bool            // it needs the tag
	declared map[string]bool // functions and variables, as folder and name
}

// libraryFiles are those of this module, whatever their build constraints, but for what only tests import.
func libraryFiles(t *testing.T) (files []*libraryFile) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			otherModule := err == nil && path != "."
			hidden := strings.HasPrefix(d.Name(), ".") && path != "."
			if otherModule || hidden || filepath.ToSlash(path) == forTests {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil {
			files = append(files, newLibraryFile(filepath.ToSlash(path), syntax))
		}
		return err
	})
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files of the library, %v", len(files), err)
	}
	return files
}

func newLibraryFile(file string, syntax *ast.File) *libraryFile {
	f := &libraryFile{path: file, syntax: syntax, declared: map[string]bool{}}
	folder := path.Dir(file)
	for _, group := range syntax.Comments {
		for _, c := range group.List {
			if constraint.IsGoBuild(c.Text) {
				f.tagged = f.tagged || needsSeamTag(c.Text)
			}
		}
	}
	for _, d := range syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				f.declared[folder+"."+d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
					for _, name := range v.Names {
						f.declared[folder+"."+name.Name] = true
					}
				}
			}
		}
	}
	return f
}

// needsSeamTag reports whether a constraint holds with the tag of seams, and not without it, in some build: any
// choice of the other tags.
func needsSeamTag(line string) bool {
	expr, err := constraint.Parse(line)
	if err != nil {
		return false
	}
	var others []string
	holds := func(seam bool, set int) bool {
		return expr.Eval(func(tag string) bool {
			if tag == seamTag || tag == "fount_look" { // which needs the other
				return seam
			}
			i := slices.Index(others, tag)
			if i < 0 {
				i, others = len(others), append(others, tag)
			}
			return set>>i&1 == 1
		})
	}
	holds(true, 0) // Eval asks for every tag, so now all are known
	for set := range 1 << len(others) {
		if holds(true, set) && !holds(false, set) {
			return true
		}
	}
	return false
}

// exported returns what a file with seams lets other packages do.
func (f *libraryFile) exported() (names []string) {
	for name := range f.declared {
		_, base, _ := strings.Cut(name, ".")
		if ast.IsExported(base) {
			names = append(names, name)
		}
	}
	return names
}

// variables returns the variables of the environment that a file reads, by their values if the argument is a constant
// of the name Variable or variable.
func (f *libraryFile) variables() (names []string) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains([]string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}, selector.Sel.Name) {
			return true
		}
		name := selector.Sel.Name
		if len(call.Args) == 1 {
			name = f.constant(call.Args[0])
		}
		names = append(names, name)
		return true
	})
	return names
}

// constant returns the string that e is or names.
func (f *libraryFile) constant(e ast.Expr) string {
	text := ""
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ = strconv.Unquote(e.Value)
	case *ast.Ident:
		text = e.Name
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && v.Names[0].Name == e.Name && len(v.Values) == 1 {
				text = f.constant(v.Values[0])
			}
			return true
		})
	}
	return text
}

// The control: seams in a normal build, and other variables, are seen.
func TestSeamsNeedTheirTagControl(t *testing.T) {
	for line, want := range map[string]bool{
		"//go:build fount_test":                   true,
		"//go:build fount_test && !linux":         true,
		"//go:build linux && !race && fount_test": true,
		"//go:build fount_test && fount_look":     true,
		"//go:build !fount_test":                  false,
		"//go:build linux || fount_test":          true, // elsewhere than on Linux
		"//go:build linux":                        false,
	} {
		if got := needsSeamTag(line); got != want {
			t.Errorf("%s: needs the tag: %v, want %v", line, got, want)
		}
	}
	syntax, err := parser.ParseFile(token.NewFileSet(), "", `package p
		import ("os"; "syscall")
		const Name = "A"
		var a = os.Getenv(Name)
		func SetRoute() { os.LookupEnv("B"); syscall.Environ() }`, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	f := newLibraryFile("entropy/kernel.go", syntax)
	if got, want := f.variables(), []string{"A", "B", "Environ"}; f.tagged || !slices.Equal(got, want) || !f.declared["entropy.SetRoute"] {
		t.Errorf("tagged %v, variables %q, want %q; declared %v", f.tagged, got, want, f.declared)
	}
}
