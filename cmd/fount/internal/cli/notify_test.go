// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hears returns the places in a file that call signal.Notify or signal.NotifyContext.
func hears(t *testing.T, fset *token.FileSet, name string, source any) (places []string) {
	t.Helper()
	file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(s.Sel.Name, "Notify") {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "signal" {
				places = append(places, fset.Position(s.Pos()).String())
			}
		}
		return true
	})
	return places
}

// A command that called package signal itself would leave a hanging server behind on plan9/386; test/plan9 shows how.
func TestOneFileHearsSignals(t *testing.T) {
	fset := token.NewFileSet()
	if got := hears(t, fset, "control.go", "package p\nfunc f() { signal.Notify(c); signal.NotifyContext(ctx); signal.Stop(c) }"); len(got) != 2 {
		t.Fatalf("in the control %v, want two places", got)
	}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		if name == "notify.go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range hears(t, fset, name, source) {
			t.Errorf("%s calls package signal; use notify or notifyContext of notify.go", place)
		}
	}
}
