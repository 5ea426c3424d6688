// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the doctor: whole runs with turns of microseconds, whose figures mean nothing.

package doctor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"fount"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/nonce"
	"fount/lab/show"
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
	if n := len(r.Findings); n != 10 || r.Findings[n-1].Name != "clones" {
		t.Errorf("%d findings, want 10 and clones last", n)
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

// Where asking for random bytes would stop or block the program, nothing is measured. A problem that
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
	_, r := run(t, x, nil)
	if names := r.ProblemNames(); r.Problems != 1 || len(names) != 1 || names[0] != "kernel" || r.Verdict.Use != "none" || r.Passwords != nil {
		t.Errorf("%d problems %q, use %q, passwords %v; want kernel alone, none, nil", r.Problems, names, r.Verdict.Use, r.Passwords)
	}
	x = quick()
	x.Inspect = func() machine.Facts {
		f := healthy()
		f.Random.Urandom = machine.Stale
		return f
	}
	_, r = run(t, x, nil)
	if names := r.ProblemNames(); len(names) != 1 || names[0] != "/dev/urandom" || len(r.Randomness.Methods) == 0 {
		t.Errorf("problems %q; want /dev/urandom, and randomness measured: %+v", names, r.Randomness)
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
		_, r := run(t, x, nil)
		if r.Problems != 0 {
			t.Errorf("problems %q, want none: what a system lacks is no problem", r.ProblemNames())
		}
		if got := r.Randomness.Methods[1].Error; got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
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
