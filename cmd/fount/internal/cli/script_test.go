// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the whole program: testdata/script/*.txt, and longscript/*.txt, run it as a process. Not
// on Plan 9, for which testscript does not build.

//go:build !plan9

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fount/internal/test/otheruser"

	"github.com/rogpeppe/go-internal/testscript"
)

// repository is the root of the repository, from this package.
const repository = "../../../.."

// noRaceSleep spares each run under the race detector its second of sleep at the end.
const noRaceSleep = "atexit_sleep_ms=0"

// attacks are what this binary does as another user, by the value of otheruser.Variable.
var attacks = map[string]func(args []string){}

// TestMain lets this test binary stand for the program: under the name fount it is fount.
func TestMain(m *testing.M) {
	if attack := attacks[os.Getenv(otheruser.Variable)]; attack != nil {
		attack(os.Args[1:])
		return
	}
	os.Setenv("GORACE", noRaceSleep)
	testscript.Main(m, map[string]func(){
		"fount": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	runScripts(t, "testdata/script")
}

func TestScriptsLong(t *testing.T) {
	if os.Getenv("FOUNT_LONG") == "" {
		t.Skip("set FOUNT_LONG=1: these scripts run the go command's own vet ten times")
	}
	runScripts(t, "testdata/longscript")
}

func runScripts(t *testing.T, dir string) {
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GORACE", noRaceSleep)
			cache, _ := os.UserCacheDir() // HOME is another in a script
			env.Setenv("GOCACHE", cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")))
			fount, err := exec.LookPath("fount")
			env.Setenv("FOUNT", fount)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"mode":  mode,
			"size":  size,
			"lines": lines,
		},
	})
}

// exits STATUS MESSAGE COMMAND... runs a command that must fail with that status, print nothing on
// standard output, and exactly that one line on standard error.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[2], args[3:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		ts.Fatalf("%q returned %v, want exit status %s", args[2:], err, args[0])
	}
	if got := strconv.Itoa(exit.ExitCode()); got != args[0] {
		ts.Fatalf("exit status %s, want %s; standard error %q", got, args[0], ts.ReadFile("stderr"))
	}
	if got := ts.ReadFile("stdout"); got != "" {
		ts.Fatalf("standard output %q, want none", got)
	}
	if got := ts.ReadFile("stderr"); got != args[1]+"\n" {
		ts.Fatalf("standard error\n%swant\n%s", got, args[1])
	}
}

// mode FILE OCTAL asserts the permission bits.
func mode(ts *testscript.TestScript, neg bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); (got == args[1]) == neg {
		ts.Fatalf("%s has mode %s, want %s (negated: %v)", args[0], got, args[1], neg)
	}
}

// size FILE N asserts the length in bytes.
func size(ts *testscript.TestScript, _ bool, args []string) {
	if got := strconv.Itoa(len(ts.ReadFile(args[0]))); got != args[1] {
		ts.Fatalf("%s has %s bytes, want %s", args[0], got, args[1])
	}
}

// lines FILE N PATTERN asserts that the file is exactly N different lines, each ended by a newline,
// each a match of the whole pattern.
func lines(ts *testscript.TestScript, _ bool, args []string) {
	pattern := regexp.MustCompile(`^(?:` + args[2] + `)$`)
	seen := make(map[string]bool)
	text := ts.ReadFile(args[0])
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, "\n") || !pattern.MatchString(strings.TrimSuffix(line, "\n")) {
			ts.Fatalf("line %d %q does not match %s", len(seen)+1, line, args[2])
		}
		if seen[line] {
			ts.Fatalf("line %q twice", line)
		}
		seen[line] = true
	}
	if got := strconv.Itoa(len(seen)); got != args[1] {
		ts.Fatalf("%s lines, want %s", got, args[1])
	}
}
