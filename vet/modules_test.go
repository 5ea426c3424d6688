// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package vet

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fount/internal/test/require"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

// Three web applications, at versions that do what the analyzers look for. Of the last two the packages that compile with the Go
// releases of today, and hold the code of sign-ins.
var knownModules = []struct {
	path, version, sum string
	packages           []string
}{
	{"miniflux.app", "v1.0.46", "h1:2/xrbXiEoQlj/bAZ8MT+fPN1+gmYDYuXVCOhvSskns4=", []string{"./..."}},
	{"github.com/usememos/memos", "v0.22.0", "h1:t0U0veqGlCQtk6+Api3DCGbD/b0oLMef5aRRAvh8efI=", []string{"./internal/util", "./server/router/api/v1"}},
	{"github.com/pocketbase/pocketbase", "v0.22.0", "h1:HIKXvpxo0may6SmrlJllVIJvBFwtFSrnOynLDwymCls=",
		[]string{"./apis", "./forms", "./models", "./tokens", "./tools/security"}},
}

// results has the findings, each judged by reading the code.
const results = "../docs/results/vet.md"

// resultRow matches a finding in results: the module's path, the place and the analyzer.
var resultRow = regexp.MustCompile(`(?m)^\| (\S+) \| (\S+:\d+) \| (\w+) \| (true|false): .+ \|$`)

// The analyzers find in known modules what the results list, no more and no less.
func TestKnownModules(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this type-checks three applications, in a minute")
	}
	text, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("CGO_ENABLED", "0") // cgo's output would have to be built
	for _, m := range knownModules {
		t.Run(m.path, func(t *testing.T) {
			want := make(map[string]bool)
			for _, row := range resultRow.FindAllStringSubmatch(string(text), -1) {
				if row[1] == m.path {
					want[row[2]+" "+row[3]] = true
				}
			}
			dir, sum := download(t, m.path+"@"+m.version)
			if sum != m.sum {
				t.Fatalf("the sum of %s is %s, want %s", m.path, sum, m.sum)
			}
			for key, message := range analyze(t, dir, m.packages) {
				if !want[key] {
					t.Errorf("not in %s: %s: %s", results, key, message)
				}
				delete(want, key)
			}
			for _, key := range slices.Sorted(maps.Keys(want)) {
				t.Errorf("not found: %s", key)
			}
		})
	}
}

// analyze returns the messages of the analyzers on packages of the module in dir, by "file:line analyzer". It type-checks the
// packages and what they import from source: go vet would compile a thousand packages first.
func analyze(t *testing.T, dir string, patterns []string) map[string]string {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Context: t.Context(), Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: dir}, patterns...)
	failed := func(err error) {
		if strings.Contains(err.Error(), "dial tcp") || strings.Contains(err.Error(), "Forbidden") {
			require.Skip(t, "modules", "what the module requires can't be downloaded: "+err.Error())
		}
		t.Error(err)
	}
	if err != nil {
		failed(err)
	}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			failed(err)
		}
	})
	if t.Failed() {
		t.FailNow()
	}
	graph, err := checker.Analyze(Analyzers(), loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	for _, action := range graph.Roots {
		if action.Err != nil {
			t.Error(action.Err)
		}
		for _, d := range action.Diagnostics {
			at := action.Package.Fset.Position(d.Pos)
			file, err := filepath.Rel(dir, at.Filename)
			if err != nil {
				t.Fatal(err)
			}
			found[fmt.Sprintf("%s:%d %s", filepath.ToSlash(file), at.Line, action.Analyzer.Name)] = d.Message
		}
	}
	return found
}

// download returns the folder and the sum of a module from the module proxy, or skips the test.
func download(t *testing.T, module string) (dir, sum string) {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	var answer struct{ Dir, Sum, Error string }
	if err != nil {
		require.Skip(t, "modules", fmt.Sprintf("%s can't be downloaded: %v: %s", module, err, out))
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Dir, answer.Sum
}

// The sentence about precision in the results counts the rows.
func TestResultsCount(t *testing.T) {
	text, err := os.ReadFile(results)
	if err != nil {
		t.Skipf("%v: the results are in the checkout", err)
	}
	count := map[string]int{}
	for _, row := range resultRow.FindAllStringSubmatch(string(text), -1) {
		count[row[4]]++
	}
	said := fmt.Sprintf("%d findings, of which %d are false", count["true"]+count["false"], count["false"])
	if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), said) {
		t.Errorf("%s does not say: %s", results, said)
	}
}
