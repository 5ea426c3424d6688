// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the doctor: whole runs with turns of microseconds, whose figures mean nothing, and layouts of made-up figures.

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"fount"
	"fount/lab/machine"
	"fount/lab/nonce"
	"fount/lab/show"
	"fount/lab/show/golden"
)

// quick is an examination that takes milliseconds.
func quick(out io.Writer, asJSON bool) examination {
	x := newExamination(out, io.Discard, asJSON)
	x.style = show.Style{Width: 80}
	x.glance.Turn, x.glance.Warmup = 20*time.Microsecond, 0
	x.passwordPlan = passwordPlan{cost: 4, callers: 8, duration: 20 * time.Millisecond}
	x.plan = nonce.Plan{Rounds: 2, Turn: 50 * time.Microsecond, Warmup: 10 * time.Microsecond, Workers: []int{1, 2}} // elapsed time
	return x
}

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

// The whole report, in a pipe: its parts in their order, a row for each method, and nothing that rewrites a line.
func TestDoctor(t *testing.T) {
	var out bytes.Buffer
	if err := quick(&out, false).run(); err != nil {
		t.Fatalf("%v, want no problem on this machine\n%s", err, out.String())
	}
	text := out.String()
	parts := []string{"fount doctor: ", "\nMachine\n", "kernel", "CPU", "cores", "hypervisor", "Go", "getrandom", "/dev/urandom",
		"NUMA nodes", "sources", "pools", "clones", "\nRandomness: "}
	for _, m := range nonce.Standard() {
		parts = append(parts, "\n  "+m.Name())
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

// The first line is out before anything is looked at, which takes time.
func TestDoctorSpeaksFirst(t *testing.T) {
	var out bytes.Buffer
	x := quick(&out, false)
	x.inspect = func() machine.Facts {
		if !strings.HasPrefix(out.String(), "fount doctor: ") || !strings.HasSuffix(out.String(), "\n") {
			t.Errorf("before the machine is looked at, %q is printed", out.String())
		}
		return healthy()
	}
	if err := x.run(); err != nil {
		t.Fatal(err)
	}
}

// --json is one object of the documented fields, with a row for each method, and nothing else.
func TestDoctorJSON(t *testing.T) {
	var out, screen bytes.Buffer
	x := quick(&out, true)
	x.screen = &screen
	if err := x.run(); err != nil {
		t.Fatal(err)
	}
	if screen.Len() > 0 {
		t.Errorf("progress with --json: %q", screen.String())
	}
	var r doctorReport
	dec := json.NewDecoder(&out)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		t.Fatal(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		t.Errorf("something follows the object: %v", err)
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
		if row.Name != m.Name() || row.Weakness != m.Weakness() {
			t.Errorf("row %d is of %q (%q), want %q (%q)", i, row.Name, row.Weakness, m.Name(), m.Weakness())
		}
		if row.Error != "" {
			t.Logf("%s: %s", row.Name, row.Error)
			continue
		}
		if !(0 < row.OneCoreMinNS && row.OneCoreMinNS <= row.OneCoreNS && row.OneCoreNS <= row.OneCoreMaxNS) ||
			!(0 < row.AllCoresMinNS && row.AllCoresMinNS <= row.AllCoresNS && row.AllCoresNS <= row.AllCoresMaxNS) {
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

// Every field that --help promises is there, and every field there is, of the parts that it lists in full, is promised.
func TestDoctorJSONIsDocumented(t *testing.T) {
	for _, part := range []any{doctorReport{}, randomnessReport{}, methodRow{}, nonce.Verdict{}, machine.Finding{},
		passwordsReport{}, passwordLoad{}} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(part)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			short := strings.Replace(strings.Replace(name, "_min_ns", "_ns", 1), "_max_ns", "_ns", 1)
			if name == "" || !strings.Contains(doctorLong, short) {
				t.Errorf("%T.%s is %q in JSON; --help does not say so", part, field.Name, name)
			}
		}
	}
}

// A problem is exit status 1 and one line that names it. Where asking for random bytes would stop or block the program,
// nothing is measured, and both forms of the report say so.
func TestDoctorProblem(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		var out bytes.Buffer
		x := quick(&out, asJSON)
		x.inspect = func() machine.Facts {
			f := healthy()
			f.Random = machine.KernelRandom{Getrandom: machine.Wait, Urandom: machine.Ready}
			return f
		}
		x.methods = []nonce.Method{untouchable{t}}
		x.probes = [2]nonce.Method{untouchable{t}, untouchable{t}}
		err := x.run()
		status, message := outcome(err, true)
		if status != statusFailed || message != "problem found: kernel" {
			t.Errorf("exit status %d, %q; want %d, problem found: kernel", status, message, statusFailed)
		}
		if text := out.String(); !strings.Contains(text, "problem") || !strings.Contains(text, "Nothing was measured") {
			t.Errorf("the report does not say so:\n%s", text)
		}
		if asJSON {
			var r doctorReport
			if err := json.Unmarshal(out.Bytes(), &r); err != nil || r.Problems != 1 || r.Verdict.Use != "none" {
				t.Errorf("%d problems, use %q, %v; want 1, none", r.Problems, r.Verdict.Use, err)
			}
		}
	}
	var out bytes.Buffer
	x := quick(&out, false)
	x.inspect = func() machine.Facts {
		f := healthy()
		f.Random.Urandom = machine.Stale
		return f
	}
	if status, message := outcome(x.run(), true); status != statusFailed || message != "problem found: /dev/urandom" {
		t.Errorf("exit status %d, %q", status, message)
	}
	if !strings.Contains(out.String(), "Randomness") {
		t.Error("a problem that leaves something to measure keeps it from being measured")
	}
}

// untouchable is a method that must not be opened.
type untouchable struct{ t *testing.T }

func (untouchable) Name() string     { return "untouchable" }
func (untouchable) Weakness() string { return "" }
func (m untouchable) Open() (nonce.Source, error) {
	m.t.Error("a method was opened on a machine without random bytes")
	return nil, errors.ErrUnsupported
}

// absent is a method that this operating system does not have, or that fails.
type absent struct{ err error }

func (absent) Name() string                  { return "absent" }
func (absent) Weakness() string              { return "" }
func (m absent) Open() (nonce.Source, error) { return nil, m.err }

func TestDoctorWithoutAMethod(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("getrandom: %w", errors.ErrUnsupported), "not on " + machine.OSName()},
		{errors.New("out of bits\nand more"), "out of bits"},
	} {
		var out bytes.Buffer
		x := quick(&out, false)
		x.inspect = healthy
		x.methods = []nonce.Method{nonce.CryptoRand{}, absent{test.err}, nonce.Fount{}}
		if err := x.run(); err != nil {
			t.Errorf("%v, want no error: what a system lacks is no problem", err)
		}
		if want := "-      -        -      -  " + test.want + "\n"; !strings.Contains(out.String(), want) {
			t.Errorf("no row with %q:\n%s", want, out.String())
		}
	}
}

// On a terminal one line shows how far the measurement is, and it is gone before the figures come.
func TestDoctorProgress(t *testing.T) {
	var out, screen bytes.Buffer
	x := quick(&out, false)
	x.inspect = healthy
	x.screen = &screen
	if err := x.run(); err != nil {
		t.Fatal(err)
	}
	got := screen.String()
	if !strings.Contains(got, "\rmeasuring 8 methods in turns: 0 %") || !strings.Contains(got, "%, 1 s left") {
		t.Errorf("progress %q", got)
	}
	if last := got[strings.LastIndex(strings.TrimSuffix(got, "\r"), "\r"):]; strings.Trim(last, " \r") != "" || strings.Contains(got, "\n") {
		t.Errorf("the line is not taken away: %q", got)
	}
}

// gone is a pipe whose reader has left.
type gone struct{}

var errGone = errors.New("nobody reads this")

func (gone) Write([]byte) (int, error) { return 0, errGone }

func TestDoctorWithoutReader(t *testing.T) {
	x := quick(gone{}, false)
	x.methods = []nonce.Method{untouchable{t}}
	if err := x.run(); !errors.Is(err, errGone) {
		t.Errorf("%v, want %v at the first write", err, errGone)
	}
}

func TestDoctorUsage(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := Main([]string{"doctor", "who"}, nil, &stdout, &stderr); status != statusUsage || stdout.Len() > 0 {
		t.Errorf("exit status %d, stdout %q; want %d and none", status, stdout.String(), statusUsage)
	}
	if got := stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `"who"`) {
		t.Errorf("stderr %q, want one line about \"who\"", got)
	}
}

// The layout at three widths, from figures of the machine that docs/performance.md describes.
func TestDoctorLayout(t *testing.T) {
	row := func(name, weakness string, one, all float64) methodRow {
		return methodRow{Name: name, Weakness: weakness, OneCoreNS: one, AllCoresNS: all, OneCoreRatio: one / 48.3, AllCoresRatio: all / 36.1}
	}
	r := randomnessReport{Rounds: 31, Cores: 2, Methods: []methodRow{
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
				got := machineSection(findings, s) + randomnessSection(r, s) + verdictSection(verdict, s)
				for line := range strings.Lines(got) {
					if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
						t.Errorf("%d columns: %q", n, line)
					}
				}
				path := filepath.Join("testdata", "doctor", fmt.Sprintf("%d_%s", width, name))
				golden.Check(t, path, got)
			})
		}
	}
}
