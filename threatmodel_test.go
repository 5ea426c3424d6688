// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// A threat model names, for each promise, the tests that would fail if it were broken, and these exist.
//
// A promise is a row of a table whose last column is headed "falsified by". There stand the names of tests in
// backquotes, each after its folder from the root of the repository (fount for the root itself):
// `internal/shard.TestDue`. Each section of level 2 has such a table, or says in these words that nothing is promised
// there. A document without any such table is one that has not come to this yet, and passes.

package fount_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	falsifiedBy     = "falsified by"
	nothingPromised = "Nothing is promised here"
)

var testName = regexp.MustCompile("`([a-z0-9/_]+)\\.((?:Test|Fuzz)\\w+)`")

func TestThreatModels(t *testing.T) {
	documents, err := filepath.Glob("docs/*threat-model.md")
	if err != nil || !slices.Contains(documents, filepath.FromSlash("docs/threat-model.md")) {
		t.Fatalf("threat models are %v, %v; want docs/threat-model.md among them", documents, err)
	}
	for _, document := range documents {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		problems, tests := unfalsifiable(string(text), testsOf)
		for _, p := range problems {
			t.Errorf("%s: %s", document, p)
		}
		t.Logf("%s names %d tests", document, tests)
		if tests == 0 && document == filepath.FromSlash("docs/threat-model.md") {
			t.Errorf("%s names no tests", document)
		}
	}
}

// unfalsifiable returns what is wrong with a threat model, and how many names of tests it has. tests lists those of a
// folder.
func unfalsifiable(document string, tests func(folder string) []string) (problems []string, names int) {
	if !strings.Contains(document, falsifiedBy) {
		return nil, 0
	}
	section, kept := "", true // kept: the section has promises, or says that it has none
	open := false             // in a table of promises
	end := func() {
		if !kept {
			problems = append(problems, "section "+strconv.Quote(section)+" has no table of promises")
		}
	}
	for line := range strings.Lines(document) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			end()
			section, kept = title, false
		}
		kept = kept || strings.Contains(line, nothingPromised)
		if !strings.HasPrefix(line, "|") {
			open = false
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		promise, last := strings.TrimSpace(cells[0]), cells[len(cells)-1]
		switch {
		case strings.TrimSpace(last) == falsifiedBy:
			open = true
		case open && strings.Trim(line, "|- ") != "":
			kept = true
			found := testName.FindAllStringSubmatch(last, -1)
			if found == nil {
				problems = append(problems, "no test would fail if this were false: "+promise)
			}
			for _, name := range found {
				names++
				if !slices.Contains(tests(name[1]), name[2]) {
					problems = append(problems, "there is no "+name[2]+" in "+name[1]+": "+promise)
				}
			}
		}
	}
	end()
	return problems, names
}

var testsKnown = map[string][]string{} // the documents name some folders 100 times

// testsOf returns the tests and fuzz targets of a folder, whatever their build constraints.
func testsOf(folder string) (names []string) {
	if folder == "fount" {
		folder = "."
	}
	if known, ok := testsKnown[folder]; ok {
		return known
	}
	defer func() { testsKnown[folder] = names }()
	files, _ := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*_test.go"))
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		}
	}
	return names
}

// The control: each way in which a document can be wrong is seen.
func TestThreatModelsControl(t *testing.T) {
	tests := func(folder string) []string {
		return map[string][]string{"a/b": {"TestOne", "FuzzTwo"}, "fount": {"TestRoot"}}[folder]
	}
	const good = `# Title
## First
| mode | a clone can repeat | falsified by |
|---|---|---|
| x | y | ` + "`a/b.TestOne`, `a/b.FuzzTwo`" + ` |

Text with ` + "`a/b.TestGone`" + `.
## Limits
Nothing is promised here.
## Last
| promise | falsified by |
|---|---|
| z | ` + "`fount.TestRoot`" + ` |
`
	if problems, n := unfalsifiable(good, tests); problems != nil || n != 3 {
		t.Errorf("a good document: %d names, problems %q", n, problems)
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"renamed":    {"a/b.TestOne", "a/b.TestOther", "there is no TestOther in a/b: x"},
		"moved":      {"a/b.FuzzTwo", "a.FuzzTwo", "there is no FuzzTwo in a: x"},
		"no name":    {"`fount.TestRoot`", "we looked", "no test would fail if this were false: z"},
		"no table":   {"| promise | " + falsifiedBy, "| promise | see", `section "Last" has no table of promises`},
		"not exempt": {nothingPromised, "Much is promised", `section "Limits" has no table of promises`},
	} {
		problems, _ := unfalsifiable(strings.Replace(good, c.old, c.new, 1), tests)
		if !slices.Contains(problems, c.want) {
			t.Errorf("%s: problems %q, want %q", name, problems, c.want)
		}
	}
	if problems, _ := unfalsifiable(strings.ReplaceAll(good, falsifiedBy, "see"), tests); problems != nil {
		t.Errorf("a document without the format: %q", problems)
	}
	if !slices.Contains(testsOf("fount"), "TestThreatModelsControl") {
		t.Error("this test was not found")
	}
}
