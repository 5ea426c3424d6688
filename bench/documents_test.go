// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// The commands of the documentation that measure: go test passes when a pattern matches no benchmark.

package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// run runs a shell's command in the root of the repository and returns its output.
func run(t *testing.T, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = ".."
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

func needCommands(t *testing.T) {
	for _, name := range []string{"sh", "go"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%v: the documentation's commands need it", err)
		}
	}
}

// measureCommands are the commands in the section Measure of CONTRIBUTING.md, each in one line.
func measureCommands(t *testing.T) []string {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## Measure\n")
	section, _, _ = strings.Cut(section, "\n## ")
	if !found || section == "" {
		t.Fatal("CONTRIBUTING.md has no section Measure")
	}
	section = strings.ReplaceAll(section, "\\\n", " ")
	var commands []string
	open := ""
	for line := range strings.Lines(section) {
		code, ok := strings.CutPrefix(line, "    ")
		if !ok {
			continue
		}
		open += code
		if strings.Count(open, "{") == strings.Count(open, "}") {
			commands, open = append(commands, strings.TrimSpace(open)), ""
		}
	}
	return commands
}

// Each command of CONTRIBUTING.md runs as it stands, once in place of ten times and without valgrind, and what it makes
// has the lines of a benchmark.
func TestMeasureCommands(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: this links two test binaries, and runs every benchmark of the package once, in 7 s of a core")
	}
	needCommands(t)
	dir := t.TempDir()
	results := 0
	for _, command := range measureCommands(t) {
		if strings.Contains(command, "benchstat@latest") {
			continue // from the network
		}
		once := strings.NewReplacer(
			"-count 10", "-count 1 -benchtime 1x", "20000x", "1x", "valgrind --tool=callgrind ", "",
			"new.txt", filepath.Join(dir, "new.txt"), "docs/results/NAME.txt", filepath.Join(dir, "results.txt"),
			"./bench.test", filepath.Join(dir, "bench.test"), "-o bench.test", "-o "+filepath.Join(dir, "bench.test"),
		).Replace(command)
		out := run(t, once)
		if _, file, written := strings.Cut(once, " >"); written {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Error(err)
			}
			out += string(text)
		}
		if strings.Contains(once, " -c ") {
			continue // the next one runs what it built
		}
		results++
		if !strings.Contains(out, "\nBenchmark") {
			t.Errorf("%s: no benchmark ran:\n%s", command, out)
		}
	}
	if results != 3 {
		t.Errorf("%d commands of CONTRIBUTING.md measure, want 3: does the test still find them?", results)
	}
}

// A documented command is go test with a pattern and packages, in text that may break the line.
var documented = regexp.MustCompile("go\\s+test\\s[^`]*?-bench\\s+('[^']+'|[^\\s`']+)([^`\\n]*(?:\\n[^`\\n]+)?)`")

// The first part of each pattern, of every go test -bench between backquotes in the documentation, matches a benchmark of
// the packages that it names.
func TestDocumentedBenchmarks(t *testing.T) {
	var documents []string
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../docs/*/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, names...)
	}
	listed := make(map[string][]string)
	found := 0
	for _, name := range documents {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range documented.FindAllStringSubmatch(string(text), -1) {
			found++
			pattern := strings.Trim(match[1], "'")
			folder := regexp.MustCompile(`\./[\w./]+`).FindString(match[2])
			folder = strings.TrimRight(folder, ".")
			if listed[folder] == nil {
				listed[folder] = benchmarksIn(t, filepath.Join("..", folder))
			}
			for _, part := range alternatives(pattern) {
				top, _, _ := strings.Cut(part, "/")
				re, err := regexp.Compile(top)
				if err != nil {
					t.Errorf("%s: %s: %v", name, match[0], err)
					continue
				}
				if !slices.ContainsFunc(listed[folder], re.MatchString) {
					t.Errorf("%s: %s: %q matches no benchmark of %v", name, match[0], top, listed[folder])
				}
			}
		}
	}
	if found < 6 {
		t.Errorf("%d commands found: does the test still find them?", found)
	}
}

// benchmarksIn are the benchmarks of a folder, under any tags.
func benchmarksIn(t *testing.T, folder string) (names []string) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^func (Benchmark\w*)\(`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range declared.FindAllStringSubmatch(string(text), -1) {
			names = append(names, match[1])
		}
	}
	return names
}

// alternatives splits a pattern at each | that is not in parentheses.
func alternatives(pattern string) []string {
	parts, depth := []string{""}, 0
	for _, r := range pattern {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == '|' && depth == 0:
			parts = append(parts, "")
			continue
		}
		parts[len(parts)-1] += string(r)
	}
	return parts
}

func TestAlternatives(t *testing.T) {
	got := alternatives("Window16|Nonce/method=(a|b)/|Text")
	if want := []string{"Window16", "Nonce/method=(a|b)/", "Text"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
