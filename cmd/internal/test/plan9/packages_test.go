// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package plan9

// The tests of the library's packages, and of the program's that serve files, run by the machine.

import (
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
	"time"
)

// A suite is the tests of a package. The machine is some 30 times slower than its host, so only
// packages that ask something of the system are run here; arithmetic is tested by linux/386.
type suite struct {
	pkg  string // below fount
	run  string // -test.run, all if empty
	skip string // -test.skip
}

var suites = []suite{
	// The machine has no network, no checkout, an exit status that is a text, and no time for a
	// sign-in or many draws.
	{pkg: ".", skip: "^(TestChildrenLive|" +
		"Example_signIn|TestUniform.*|TestBoundedExact|TestBits|TestBounds|TestAllocations.*)$"},
	{pkg: "cmd/fount/internal/randfs"},
	{pkg: "cmd/fount/internal/randfs/ninep"},
	{pkg: "internal/erase"},
	{pkg: "internal/kernel"},
	{pkg: "internal/shard"},
	{pkg: "password", run: "^(TestBadPasswords|TestPoolWipesItsCopy|TestPrincipalOf.*)$"},
	{pkg: "password/passwordhttp", skip: "^ExampleGate$"},
	{pkg: "internal/entropy"},
	{pkg: "internal/clone"},
}

// root is the checkout.
const root = "../../../.."

// forMachine is a go command that builds for the machine, in the root of the checkout.
func forMachine(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=plan9", "GOARCH=386")
	return cmd
}

// TestPackages runs the suites.
func TestPackages(t *testing.T) {
	needLong(t)
	t.Parallel() // a machine has one processor
	image(t)     // skip before building
	dir, files := t.TempDir()+"/", map[string][]byte{}
	build := forMachine("test", "-c", "-ldflags=-s -w", "-o", dir)
	for _, s := range suites {
		build.Args = append(build.Args, "./"+s.pkg)
	}
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, s := range suites {
		files[s.program()] = read(t, dir+s.program())
	}
	m := boot(t, files)
	for _, s := range suites {
		t.Run(s.pkg, func(t *testing.T) { m.suite(t, s) })
	}
}

// program is the name that go test -c gives the test binary. No two suites have the same, or it
// fails.
func (s suite) program() string { return path.Base(path.Join("fount", s.pkg)) + ".test" }

// suite runs one, in its directory below that of the programs.
func (m *machine) suite(t *testing.T, s suite) {
	start := time.Now()
	at := path.Join("/tmp/job", s.pkg)
	line := "mkdir -p " + at + "; cd " + at + "; " + s.program() + " -test.short -test.timeout 10m"
	for flag, value := range map[string]string{"-test.run": s.run, "-test.skip": s.skip} {
		if value != "" {
			line += " '" + flag + "=" + value + "'"
		}
	}
	output, status := m.run(line + " >/tmp/out >[2=1]; ended=$status; sed 300q /tmp/out; rm /tmp/job/" + s.program() + "; status=$ended")
	if strings.Trim(status, "|") != "" || !strings.HasSuffix(output, "PASS") {
		t.Errorf("status %q\n%s", status, output)
	}
	t.Logf("%.1f s", time.Since(start).Seconds())
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
