// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// docs/claims.md is checked: each row has a command that exists and parses, and says what the columns promise.
// That its links lead to files is what package lab tests for all documents.

package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	aCommand   = regexp.MustCompile("`([^`]+)`")
	aWord      = regexp.MustCompile(`'([^']*)'|(\S+)`)
	aTest      = regexp.MustCompile(`(?m)^func ((?:Test|Example|Benchmark)\w*)\(`)
	aSeparator = regexp.MustCompile(`(^|[^\\])\|`)
)

// claim is a row of docs/claims.md.
type claim struct{ report, what, by, here, agrees, why string }

// claims returns the rows of a document's tables, and the lines that are none.
func claims(document string) (rows []claim, wrong []string) {
	report := ""
	for line := range strings.Lines(document) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			report = title
		}
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| claim or question |") {
			continue
		}
		cells := strings.Split(aSeparator.ReplaceAllString(line, "$1\x00"), "\x00")
		if len(cells) != 7 {
			wrong = append(wrong, line)
			continue
		}
		for i, cell := range cells {
			cells[i] = strings.ReplaceAll(strings.TrimSpace(cell), `\|`, "|")
		}
		rows = append(rows, claim{report, cells[1], cells[2], cells[3], cells[4], cells[5]})
	}
	return rows, wrong
}

// fault says what is wrong with a row.
func (c claim) fault(root string) error {
	commands := aCommand.FindAllStringSubmatch(c.by, -1)
	tested := strings.HasPrefix(c.by, "`go test ")
	switch {
	case c.what == "":
		return errors.New("it claims nothing")
	case len(commands) == 0:
		return errors.New("no command answers it")
	case !slices.Contains([]string{"yes", "no", "partly", "not here"}, c.agrees):
		return fmt.Errorf("it agrees %q; want yes, no, partly or not here", c.agrees)
	case c.agrees != "not here" && !tested && !strings.Contains(c.here, "]("):
		return errors.New("its figure is in no file")
	case c.agrees != "not here" && !strings.Contains(c.why, "efuted"):
		return errors.New("nothing refutes it")
	}
	for _, command := range commands {
		if err := commandFault(root, command[1]); err != nil {
			return fmt.Errorf("%s: %w", command[1], err)
		}
	}
	return nil
}

// commandFault says why a command of fount or a test does not exist or parse.
func commandFault(root, command string) error {
	var args []string
	for _, word := range aWord.FindAllStringSubmatch(command, -1) {
		args = append(args, word[1]+word[2])
	}
	switch {
	case args[0] == "fount":
		cmd, rest, err := newProgram().root.Find(args[1:])
		if err != nil || cmd.DisableFlagParsing {
			return err
		}
		if err := cmd.ParseFlags(rest); err != nil {
			return err
		}
		if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil || cmd.PreRunE == nil {
			return err
		}
		return cmd.PreRunE(cmd, cmd.Flags().Args())
	case len(args) > 2 && args[0] == "go" && args[1] == "test":
		at := 2 // the folder stands first, or last
		if strings.HasPrefix(args[at], "-") {
			at = len(args) - 1
		}
		return testFault(filepath.Join(root, filepath.FromSlash(args[at])), slices.Delete(args, at, at+1)[2:])
	}
	return errors.New("it is neither a command of fount nor a test")
}

// testFault says which of the tests that -run and -bench name a folder does not have.
func testFault(folder string, args []string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return err
	}
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, match := range aTest.FindAllStringSubmatch(string(text), -1) {
			names = append(names, match[1])
		}
	}
	found := false
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] != "-run" && args[i] != "-bench" {
			return fmt.Errorf("%s is neither -run nor -bench", args[i])
		}
		for alternative := range strings.SplitSeq(args[i+1], "|") {
			pattern, err := regexp.Compile(alternative)
			if err != nil {
				return err
			}
			of := func(name string) bool {
				return strings.HasPrefix(name, "Benchmark") == (args[i] == "-bench") && pattern.MatchString(name)
			}
			if has := slices.ContainsFunc(names, of); has {
				found = true
			} else if alternative != "^$" {
				return fmt.Errorf("no test is named %s", alternative)
			}
		}
	}
	if !found {
		return errors.New("it runs no test")
	}
	return nil
}

func TestClaims(t *testing.T) {
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(root) // commands name directories of the checkout
	text, err := os.ReadFile(filepath.Join("docs", "claims.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows, wrong := claims(string(text))
	for _, line := range wrong {
		t.Errorf("docs/claims.md: not of five columns: %s", line)
	}
	reports := make(map[string]int)
	for _, row := range rows {
		reports[row.report]++
		if err := row.fault(root); err != nil {
			t.Errorf("docs/claims.md, %s, %q: %v", row.report, row.what, err)
		}
	}
	if len(reports) != 5 || len(rows) < 40 {
		t.Errorf("docs/claims.md has %d rows of %d reports: does the test still find them?", len(rows), len(reports))
	}
}

// Each row but the first has a fault.
func TestClaimFaults(t *testing.T) {
	const document = "## A report\n| claim or question | a | b | c | d |\n|---|---|\n" +
		"| works | `fount bench nonce --bench 'A\\|B'` and `go test ./lab/nonce -run 'TestSeven\\|TestVias'` | [1](x) | yes | Refuted by 2 |\n" +
		"| no command | bench nonce | [1](x) | yes | Refuted by 2 |\n" +
		"| no flag | `fount bench nonce --nothing` | [1](x) | yes | Refuted by 2 |\n" +
		"| flags that exclude each other | `fount load password -m pool --fan-in` | [1](x) | yes | Refuted by 2 |\n" +
		"| no such command | `fount bench nothing` | [1](x) | yes | Refuted by 2 |\n" +
		"| another program | `benchstat x` | [1](x) | yes | Refuted by 2 |\n" +
		"| no test | `go test ./lab/nonce -run 'TestSeven\\|TestNothing'` | [1](x) | yes | Refuted by 2 |\n" +
		"| a benchmark is no test | `go test ./internal/pools -run Second` | [1](x) | yes | Refuted by 2 |\n" +
		"| no file | `fount bench nonce` | 1 | yes | Refuted by 2 |\n" +
		"| no verdict | `fount bench nonce` | [1](x) | perhaps | Refuted by 2 |\n" +
		"| nothing refutes it | `fount bench nonce` | [1](x) | yes | |\n" +
		"| four | `fount bench nonce` | [1](x) | yes |\n"
	rows, wrong := claims(document)
	if len(rows) != 11 || len(wrong) != 1 {
		t.Fatalf("%d rows and %q, want 11 and 1", len(rows), wrong)
	}
	for i, row := range rows {
		err := row.fault(repository)
		t.Logf("%s: %v", row.what, err)
		if (err == nil) != (i == 0) {
			t.Errorf("%+v: %v", row, err)
		}
	}
}
