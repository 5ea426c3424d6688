// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package plan9

// The tests of the library's packages, and of the program's that serve files, run by the machine.

import (
	"iter"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A suite is the tests of a package. The machine is some 30 times slower than its host: what takes it more than a few seconds and
// asks nothing of the system is left out.
type suite struct {
	pkg  string // below fount
	run  string // -test.run, all if empty
	skip string // -test.skip
	why  string // of either
	data string // files that the tests read, from the root of the checkout
}

// Reasons.
const (
	simulated  = "simulations of many steps"
	arithmetic = "long arithmetic"
)

var suites = []suite{
	{pkg: ".", skip: "^(TestChildrenLive|TestGeneratorUsedByTwoStops|TestExportsOf.*|TestReadmeSignIn|TestSeamsNeedTheirTag|" +
		"TestThreatModels.*|Example_signIn|TestUniform.*|TestBoundedExact|TestBits|TestBounds|TestAllocations.*)$",
		why: "the machine has no network, no checkout, an exit status that is a text, and no time for a sign-in or many draws"},
	{pkg: "backoff", skip: "Spreads|^(TestRangesExactly|TestOneSeedFallsIntoOneSlot|TestClonedWhileItWaits)$", why: simulated},
	{pkg: "cmd/fount/internal/randfs"},
	{pkg: "cmd/fount/internal/randfs/ninep"},
	{pkg: "cmd/fount/internal/words"},
	{pkg: "entropy"},
	{pkg: "internal/blowfish"},
	{pkg: "internal/cgroup"},
	{pkg: "internal/chacha"},
	{pkg: "internal/devrandom"},
	{pkg: "internal/erase"},
	{pkg: "internal/fleet", run: "^$", why: arithmetic},
	{pkg: "internal/fleet/choice"},
	{pkg: "internal/judge"},
	{pkg: "internal/numa"},
	{pkg: "internal/policytext"},
	{pkg: "internal/pools", skip: "^(TestCreditsAreSpreadEvenly|TestNoneStarves)$", why: arithmetic},
	{pkg: "internal/processor"},
	{pkg: "internal/shard"},
	{pkg: "internal/test/counter", skip: "^TestCounter$", why: "nothing takes a loop without calls off the only processor"},
	{pkg: "internal/test/parsertest"},
	{pkg: "internal/test/require"},
	{pkg: "internal/test/verifiertest"},
	{pkg: "internal/turn", skip: "^TestPace$", why: simulated},
	{pkg: "internal/unixsocket"},
	{pkg: "password", run: "^(TestSignExtension|TestBcrypt72Bytes|TestBcryptNUL|TestClassText|TestBadPasswords|TestWipe|" +
		"TestOWASP|TestBadPolicies|TestKeyRing|TestPolicyText.*|TestPoolClose|" +
		"TestPrincipalOf.*|TestPrincipalID.*|TestOptions)$", why: "hashes of the costs that are in use, and pools under load"},
	{pkg: "password/accountlimit", skip: "^(Example|TestTableNeverForgets.*|TestMillionNames|TestFillingTheTable.*|TestSpray.*|TestGuessesOfADay)$", why: simulated},
	{pkg: "password/internal/argon2", run: "^$", why: arithmetic},
	{pkg: "password/internal/format", data: "password/testdata/hashes.txt"},
	{pkg: "password/internal/histogram"},
	{pkg: "password/internal/mac"},
	{pkg: "password/internal/sched", run: "^$", why: simulated},
	{pkg: "password/internal/scrypt", skip: "^TestTurns$", why: arithmetic},
	{pkg: "password/internal/yescrypt", skip: "^(TestWork|TestGivenUp)$", why: arithmetic},
	{pkg: "password/legacy", run: "^$", why: arithmetic},
	{pkg: "password/passwordhttp", skip: "^ExampleGate$", why: "the machine has no network"},
	{pkg: "password/passwordtest"},
	{pkg: "seeded"},
	{pkg: "telemetry", data: "telemetry/testdata/version1.txt"},
	{pkg: "telemetry/fountexpvar"},
	{pkg: "uniqueness"},
}

// root is the checkout.
const root = "../.."

// forMachine is a go command that builds for the machine, in the root of the checkout.
func forMachine(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=plan9", "GOARCH=386")
	return cmd
}

// TestAllPackagesAreNamed wants a suite for each package of the library that has tests, so that none is forgotten, and a reason
// for each test that is not run.
func TestAllPackagesAreNamed(t *testing.T) {
	out, err := forMachine("list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range strings.FieldsSeq(string(out)) {
		if !slices.ContainsFunc(suites, func(s suite) bool { return path.Join("fount", s.pkg) == pkg }) {
			t.Errorf("%s has tests, and no suite runs them on Plan 9", pkg)
		}
	}
	for _, s := range suites {
		if (s.run+s.skip != "") != (s.why != "") {
			t.Errorf("%+v: tests are left out without a reason, or none are", s)
		}
		for _, pattern := range []string{s.run, s.skip} {
			for name := range namedIn(pattern) {
				if !slices.ContainsFunc(testsOf(t, s.pkg), regexp.MustCompile(name).MatchString) {
					t.Errorf("%s has no test %s", s.pkg, name)
				}
			}
		}
	}
}

// namedIn yields the alternatives of -test.run or -test.skip.
func namedIn(pattern string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range strings.SplitSeq(pattern, "|") {
			name = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "^"), "("), ")$")
			if name != "" && name != "$" && !yield(name) {
				return
			}
		}
	}
}

var testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz)\w*)\(`)

// testsOf names the tests in a package's folder: a suite whose tests have other names now would run none of them, and pass.
func testsOf(t *testing.T, pkg string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, pkg, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files of tests, %v", pkg, len(files), err)
	}
	for _, file := range files {
		for _, found := range testFunction.FindAllStringSubmatch(string(read(t, file)), -1) {
			names = append(names, found[1])
		}
	}
	return names
}

// TestPackages runs the suites.
func TestPackages(t *testing.T) {
	needLong(t)
	t.Parallel() // a machine has one processor
	image(t)     // skip before building
	dir, files := t.TempDir()+"/", map[string][]byte{}
	build := forMachine("test", "-c", "-ldflags=-s -w", "-o", dir)
	for _, s := range suites {
		if s.run != "^$" {
			build.Args = append(build.Args, "./"+s.pkg)
		}
	}
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, s := range suites {
		if s.run != "^$" {
			files[s.program()] = read(t, dir+s.program())
		}
		if s.data != "" {
			files[s.data] = read(t, filepath.Join(root, s.data))
		}
	}
	m := boot(t, files)
	for _, s := range suites {
		t.Run(s.pkg, func(t *testing.T) {
			if s.run == "^$" {
				t.Skip(s.why)
			}
			m.suite(t, s)
		})
	}
}

// program is the name that go test -c gives the test binary. No two suites have the same, or it fails.
func (s suite) program() string { return path.Base(path.Join("fount", s.pkg)) + ".test" }

// suite runs one, in its directory below that of the programs.
func (m *machine) suite(t *testing.T, s suite) {
	start := time.Now()
	at := path.Join("/tmp/job", s.pkg)
	line := "mkdir -p " + at + "; cd " + at + "; " + s.program() + " -test.short -test.timeout 1m"
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
