// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the doctor: whole runs with turns of microseconds, whose figures mean nothing, and layouts of made-up figures.

package doctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fount"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/nonce"
	"fount/lab/show"
	"fount/lab/show/golden"
)

// quick is an examination that takes milliseconds.
func quick() Examination {
	x := New()
	x.Glance.Turn, x.Glance.Warmup = 20*time.Microsecond, 0
	x.Passwords = PasswordPlan{Cost: 4, Callers: 8, Duration: 20 * time.Millisecond}
	x.Plan = measure.Plan{Rounds: 2, Turn: 50 * time.Microsecond, Warmup: 10 * time.Microsecond, Workers: []int{1, 2}} // elapsed time
	return x
}

// run is the text and the result of an examination; a nil screen shows no progress.
func run(t *testing.T, x Examination, screen io.Writer) (string, *Result) {
	t.Helper()
	var line *show.Progress
	if screen != nil {
		line = show.NewProgress(screen, style)
	}
	var text strings.Builder
	r, err := x.Run(style, func(section string) error { text.WriteString(section); return nil }, line)
	if err != nil {
		t.Fatal(err)
	}
	return text.String(), r
}

var style = show.Style{Width: 80}

// healthy stands in for this machine where the test is not about it.
func healthy() machine.Facts {
	return machine.Facts{
		OS: "Linux", Arch: "amd64", Kernel: "6.12.0", CPU: "Testium 9000 @ 2.50GHz",
		Features: []string{"AES-NI", "AVX2", "AVX-512F", "VAES", "RDRAND", "RDSEED"}, Lacks: []string{"SHA"},
		Cores: 2, GOMAXPROCS: 2, NUMANodes: 1, Virtual: machine.Yes, Vendor: "KVM", GoVersion: "go1.26.8", GoLevel: "GOAMD64=v1",
		Random: machine.KernelRandom{
			Getrandom: machine.Ready, Urandom: machine.Ready, VDSO: machine.Yes, VDSOSymbol: "__vdso_getrandom", VDSONS: 43, SyscallNS: 252,
		},
	}
}

// The whole text, of one section after the other: its parts in their order, a row for each method.
func TestText(t *testing.T) {
	text, _ := run(t, quick(), nil)
	parts := []string{"\nMachine\n", "kernel", "CPU", "cores", "hypervisor", "Go", "getrandom", "/dev/urandom",
		"NUMA nodes", "sources", "pools", "clones", "\nRandomness: "}
	for _, m := range nonce.Standard() {
		parts = append(parts, "\n  "+m.Name)
	}
	parts = append(parts, "\nVerdict\n", "crypto/rand", "\nPasswords: ")
	rest := text
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%q is not there, or not in its place:\n%s", part, text)
		}
		rest = after
	}
	if strings.ContainsAny(text, "\r\x1b") {
		t.Errorf("a carriage return or an escape code in a pipe: %q", text)
	}
	for line := range strings.Lines(text) {
		if n := len(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
}

// What is encoded as JSON has all fields, with a row for each method, and is decoded to the same.
func TestResult(t *testing.T) {
	_, found := run(t, quick(), nil)
	encoded, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	var r Result
	if err := json.Unmarshal(encoded, &r); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(r); err != nil || !bytes.Equal(again, encoded) {
		t.Errorf("encoded once more it is\n%s, %v; it was\n%s", again, err, encoded)
	}
	if want := fount.Status().Mode; r.Status.Mode != want || r.Machine.OS == "" || r.Problems != 0 {
		t.Errorf("mode %q, OS %q, %d problems", r.Status.Mode, r.Machine.OS, r.Problems)
	}
	if n := len(r.Findings); n != 11 || r.Findings[n-1].Name != "clones" {
		t.Errorf("%d findings, want 11 and clones last", n)
	}
	if got := r.Randomness; got.Rounds != 2 || got.TurnMS != 0.05 || got.Cores != 2 || got.Clock != "elapsed" {
		t.Errorf("%d rounds of %v ms with %d cores, %s; want 2, 0.05, 2, elapsed", got.Rounds, got.TurnMS, got.Cores, got.Clock)
	}
	for i, m := range nonce.Standard() {
		if i >= len(r.Randomness.Methods) {
			t.Fatalf("%d methods, want %d", len(r.Randomness.Methods), len(nonce.Standard()))
		}
		row := r.Randomness.Methods[i]
		if row.Name != m.Name || row.Weakness != m.Weakness {
			t.Errorf("row %d is of %q (%q), want %q (%q)", i, row.Name, row.Weakness, m.Name, m.Weakness)
		}
		if row.Error != "" {
			t.Logf("%s: %s", row.Name, row.Error)
			continue
		}
		if !(0 < row.OneCoreMinNS && row.OneCoreMinNS <= row.OneCoreNS && row.OneCoreNS <= row.OneCoreMaxNS) ||
			!(0 < row.AllCoresMinNS && row.AllCoresMinNS <= row.AllCoresNS && row.AllCoresNS <= row.AllCoresMaxNS) ||
			measure.Of(row.OneCore...).Median != row.OneCoreNS || measure.Of(row.AllCores...).Median != row.AllCoresNS {
			t.Errorf("%s: least, median and greatest out of order: %+v", row.Name, row)
		}
		base := r.Randomness.Methods[0]
		if !nearly(row.OneCoreRatio, row.OneCoreNS/base.OneCoreNS) || !nearly(row.AllCoresRatio, row.AllCoresNS/base.AllCoresNS) {
			t.Errorf("%s: ratios are not to crypto/rand: %+v", row.Name, row)
		}
	}
	if r.Verdict.Use == "" || len(r.Verdict.Sentences) == 0 {
		t.Errorf("verdict %+v", r.Verdict)
	}
}

func nearly(a, b float64) bool { return math.Abs(a-b) < 1e-9*math.Abs(b) }

// Where asking for random bytes would stop or block the program, nothing is measured, and the text says so. A problem that
// leaves something to measure does not keep it from being measured.
func TestProblem(t *testing.T) {
	x := quick()
	x.Inspect = func() machine.Facts {
		f := healthy()
		f.Random = machine.KernelRandom{Getrandom: machine.Wait, Urandom: machine.Ready}
		return f
	}
	x.Methods = []measure.Method{untouchable(t)}
	x.Probes = [2]measure.Method{untouchable(t), untouchable(t)}
	text, r := run(t, x, nil)
	if names := r.ProblemNames(); r.Problems != 1 || len(names) != 1 || names[0] != "kernel" || r.Verdict.Use != "none" || r.Passwords != nil {
		t.Errorf("%d problems %q, use %q, passwords %v; want kernel alone, none, nil", r.Problems, names, r.Verdict.Use, r.Passwords)
	}
	if !strings.Contains(text, "problem") || !strings.Contains(text, "Nothing was measured") || strings.Contains(text, "Passwords") {
		t.Errorf("the text does not say so, or speaks of passwords, for which a salt is wanted:\n%s", text)
	}
	x = quick()
	x.Inspect = func() machine.Facts {
		f := healthy()
		f.Random.Urandom = machine.Stale
		return f
	}
	text, r = run(t, x, nil)
	if names := r.ProblemNames(); len(names) != 1 || names[0] != "/dev/urandom" || !strings.Contains(text, "Randomness") {
		t.Errorf("problems %q; want /dev/urandom, and randomness measured:\n%s", names, text)
	}
}

// untouchable is a method that must not be opened.
func untouchable(t *testing.T) measure.Method {
	return measure.Method{Name: "untouchable", Open: func() (measure.Source, error) {
		t.Error("a method was opened on a machine without random bytes")
		return nil, errors.ErrUnsupported
	}}
}

// absent is a method that this operating system does not have, or that fails.
func absent(err error) measure.Method {
	return measure.Method{Name: "absent", Open: func() (measure.Source, error) { return nil, err }}
}

func TestWithoutAMethod(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("getrandom: %w", errors.ErrUnsupported), "not on " + machine.OSName()},
		{errors.New("out of bits\nand more"), "out of bits"},
	} {
		x := quick()
		x.Inspect = healthy
		x.Methods = []measure.Method{nonce.CryptoRand(), absent(test.err), nonce.Fount()}
		text, r := run(t, x, nil)
		if r.Problems != 0 {
			t.Errorf("problems %q, want none: what a system lacks is no problem", r.ProblemNames())
		}
		// A busy machine's figures take wider columns.
		if want := regexp.MustCompile(`absent +- +- +- +-  ` + test.want + "\n"); !want.MatchString(text) {
			t.Errorf("no row like %q:\n%s", want, text)
		}
	}
}

// On a terminal one line shows how far the measurement is, and it is gone before the figures come.
func TestProgress(t *testing.T) {
	var screen bytes.Buffer
	x := quick()
	x.Inspect = healthy
	run(t, x, &screen)
	got := screen.String()
	if !strings.Contains(got, "\rmeasuring 8 methods in turns: 0 %") || !regexp.MustCompile(`%, \d+ s left`).MatchString(got) {
		t.Errorf("progress %q", got)
	}
	if last := got[strings.LastIndex(strings.TrimSuffix(got, "\r"), "\r"):]; strings.Trim(last, " \r") != "" || strings.Contains(got, "\n") {
		t.Errorf("the line is not taken away: %q", got)
	}
}

// Nothing more is measured for nobody.
func TestWithoutReader(t *testing.T) {
	gone := errors.New("nobody reads this")
	x := quick()
	x.Methods = []measure.Method{untouchable(t)}
	if _, err := x.Run(style, func(string) error { return gone }, nil); !errors.Is(err, gone) {
		t.Errorf("%v, want %v at the first section", err, gone)
	}
	n := 0
	x = quick()
	x.Passwords.Cost = 99
	third := func(section string) error {
		if n++; n == 3 {
			return gone
		}
		return nil
	}
	if _, err := x.Run(style, third, nil); !errors.Is(err, gone) || n != 3 {
		t.Errorf("%v after %d sections, want %v after 3", err, n, gone)
	}
}

// The layout at three widths, from figures of the machine that docs/performance.md describes.
func TestLayout(t *testing.T) {
	row := func(name, weakness string, one, all float64) Method {
		return Method{Name: name, Weakness: weakness, OneCoreNS: one, AllCoresNS: all, OneCoreRatio: one / 48.3, AllCoresRatio: all / 36.1}
	}
	r := Randomness{Rounds: 31, Cores: 2, Methods: []Method{
		row("crypto/rand", "", 48.3, 36.1),
		{Name: "getrandom(2)", Error: "not on Plan 9"},
		row("/dev/urandom", "", 369, 410),
		row("256 B buffer per goroutine", "a clone repeats up to 256 B per goroutine", 26.9, 15.9),
		row("math/rand/v2", "not secret", 12.3, 6.4),
		row("fount", "a clone repeats up to 224 B per core", 22.4, 11.3),
		{Name: "fount.Strict", Error: "it failed for a reason that is too long to stand in a line of the table"},
	}}
	findings := append(healthy().Findings(), clones(fount.StatusReport{Mode: "window", Why: "no clone is detected", WindowBytes: 224}))
	verdict := nonce.Verdict{Sentences: []string{"Below 390,000 nonces per second and core, stay with crypto/rand.", "Above that, fount pays."}}
	for _, width := range []int{40, 80, 100} {
		for name, unicode := range map[string]bool{"ascii": false, "unicode": true} {
			t.Run(fmt.Sprintf("%d_%s", width, name), func(t *testing.T) {
				s := show.Style{Width: width, Unicode: unicode}
				got := machineText(findings, s) + r.text(s) + verdictText(verdict, s)
				for line := range strings.Lines(got) {
					if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
						t.Errorf("%d columns: %q", n, line)
					}
				}
				path := filepath.Join("testdata", fmt.Sprintf("%d_%s", width, name))
				golden.Check(t, path, got)
			})
		}
	}
}
