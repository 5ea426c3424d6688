// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMain lets this test binary be the tool of go vet.
func TestMain(m *testing.M) {
	if IsToolCall(os.Args[1:]) {
		Tool()
	}
	os.Exit(m.Run())
}

// block matches the Go code on a page.
var block = regexp.MustCompile("(?s)```go\n(.*?)```")

// The code on the pages compiles against the real packages. Of each page the first block is reported, by its analyzer, and
// nothing else is, by any.
func TestPages(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: go vet hands the 150 packages of the standard library that the pages need to this tool, in 8 s of a core")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("%v: go vet is run", err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Skipf("%v: the pages are held against the checkout", err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write("go.mod", strings.Replace(string(mod), "module fount\n", "module pages\n", 1)+
		fmt.Sprintf("require fount v0.0.0-00010101000000-000000000000\nreplace fount => %q\n", root))
	write("go.sum", string(sum))

	want := make(map[string]string) // the file in which an analyzer finds something
	for _, a := range Analyzers() {
		blocks := block.FindAllStringSubmatch(a.Doc, -1)
		if len(blocks) != 3 || !strings.HasPrefix(blocks[0][1], "// reported\n") {
			t.Errorf("%s: %d blocks of Go, want one that is reported, and two that mend it", a.Name, len(blocks))
		}
		for i, b := range blocks {
			file := filepath.Join(fmt.Sprint(a.Name, i), "p.go")
			write(file, b[1])
			if i == 0 {
				want[a.Name] = file
			}
		}
	}
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	found, err := Run{Tool: tool, Dir: dir, Packages: []string{"./..."}, Stderr: &stderr}.Findings(t.Context())
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	for _, f := range found {
		if want[f.Analyzer] != f.File {
			t.Errorf("not wanted: %s", f)
		}
		delete(want, f.Analyzer)
	}
	for name, file := range want {
		t.Errorf("%s finds nothing in %s", name, file)
	}
}

// Each page has its parts.
func TestPageParts(t *testing.T) {
	for _, a := range Analyzers() {
		for _, part := range []string{a.Name + ": ", "## Why", "## Reported", "## Fix with fount", "## Fix with the standard library", "## False alarms",
			"## Silence it", ignorePrefix + a.Name + " "} {
			if !strings.Contains(a.Doc, part) {
				t.Errorf("the page of %s lacks %q", a.Name, part)
			}
		}
		if Lookup(a.Name) != a || Summary(a) == "" {
			t.Errorf("%s: not found by its name, or without a summary", a.Name)
		}
	}
	if Lookup("latelimits") != nil {
		t.Error("found an analyzer that there is not")
	}
}
