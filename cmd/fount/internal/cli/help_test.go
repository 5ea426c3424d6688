// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the help: every command has examples, and they work.

package cli

import (
	"fmt"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commands are all, those of commands too, but for hidden ones.
func commands() (all []*cobra.Command) {
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Hidden {
			return
		}
		all = append(all, cmd)
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newProgram().root)
	return all
}

// undocumented are the fields of values in JSON that are not words of what the help says of --json.
func undocumented(help string, values ...any) (missing []string) {
	_, said, _ := strings.Cut(help, "--json")
	words := regexp.MustCompile(`[a-z0-9_]+`).FindAllString(said, -1)
	for _, v := range values {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(v)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name != "" && name != "-" && !slices.Contains(words, name) {
				missing = append(missing, name)
			}
		}
	}
	return missing
}

func TestHelpFitsTheScreen(t *testing.T) {
	for _, cmd := range commands() {
		text := commandHelp(cmd)
		if !cmd.HasParent() {
			text = rootHelp(cmd)
		}
		most := 40
		if cmd.HasParent() && cmd.Parent().HasParent() {
			most = 55 // the flags of a measurement
		}
		if n := strings.Count(text, "\n"); n > most {
			t.Errorf("the help of %s has %d lines, want at most %d", cmd.CommandPath(), n, most)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { // a break of its own and those that fit the screen leave lines of a word
			if strings.Contains(f.Usage, "\n") {
				t.Errorf("the usage of %s --%s breaks its line: %q", cmd.CommandPath(), f.Name, f.Usage)
			}
		})
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("the help of %s has a line of %d columns, want at most 80: %q", cmd.CommandPath(), n, line)
			}
		}
	}
}

func TestFill(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"one two three four five":         "one two three\nfour five\n",
		"one\ntwo\n\nthree":               "one two\n\nthree\n",
		"a:\n  b  one two three\nc":       "a:\n  b  one two\n     three\nc\n",
		"  b  one\n     two three\n  c":   "  b  one two\n     three\n  c\n",
		"  b  one\n  c d  two":            "  b  one\n  c d  two\n",
		"b     one\n      two three four": "b     one two\n      three\n      four\n",
		"a\n  b c d e f g h i\n  j":       "a\n  b c d e f g\n  h i j\n",
	} {
		if got := fill(text, 14); got != want {
			t.Errorf("fill(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestExamplesQuote holds the examples of fount to what rc, the shell of Plan 9, takes: a word with = must be in quotes.
func TestExamplesQuote(t *testing.T) {
	bare := regexp.MustCompile(`^[^']*('[^']*'[^']*)*=`)
	for _, cmd := range commands() {
		for line := range strings.Lines(cmd.Example) {
			for part := range strings.SplitSeq(line, "|") {
				if part = strings.TrimSpace(part); strings.HasPrefix(part, "fount ") && bare.MatchString(part) {
					t.Errorf("%s: %q has a = that is not in quotes", cmd.CommandPath(), part)
				}
			}
		}
	}
}

// TestServingOnPlan9 asks for what that system has.
func TestServingOnPlan9(t *testing.T) {
	e := servingOn("plan9")
	if text := fmt.Sprint(e); strings.Contains(text, "unix!") || strings.Contains(text, "--listen") || !strings.Contains(e.flag, "--post") {
		t.Errorf("on Plan 9 help suggests %s", text)
	}
	if e := servingOn("linux"); strings.Contains(fmt.Sprint(e), "--post") {
		t.Errorf("on Linux help suggests %+v", e)
	}
}

// Fount is this test binary: TestMain puts it in PATH.
func TestExamplesWork(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("the examples are written for a Unix shell, and there is none")
	}
	dir := t.TempDir()
	for _, cmd := range commands() {
		if cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		if cmd.Parent() != nil && cmd.Parent().HasParent() {
			continue // what they measure takes long: their scripts run them
		}
		switch cmd.Name() {
		case "doctor", "serve", "mount", "report", "vet", "why", "iostats", "top":
			continue // their own tests run them: they take seconds, have no end or need packages or a server
		}
		for line := range strings.Lines(cmd.Example) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "   ") // what follows is a remark
			shell := exec.Command(sh, "-c", "set -e; "+line)
			shell.Dir = dir
			if out, err := shell.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
		}
	}
}
