// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"fount/lab/doctor"
	"fount/lab/machine"
	"fount/lab/measure"
	"fount/lab/nonce"
)

// quick is an examination that takes milliseconds, and whose figures mean nothing.
func quick() doctor.Examination {
	x := doctor.New()
	x.Glance.Turn, x.Glance.Warmup = 20*time.Microsecond, 0
	x.Passwords = doctor.PasswordPlan{Cost: 4, Callers: 8, Duration: 20 * time.Millisecond}
	x.Plan = measure.Plan{Rounds: 2, Turn: 50 * time.Microsecond, Warmup: 10 * time.Microsecond, Workers: []int{1, 2}}
	return x
}

// In a pipe the text has its sections, fits 80 columns and rewrites no line. The first line is out before anything is
// looked at, which takes time.
func TestDoctor(t *testing.T) {
	var out bytes.Buffer
	x := quick()
	x.Inspect = func() machine.Facts {
		if !strings.HasPrefix(out.String(), "fount doctor: ") || !strings.HasSuffix(out.String(), "\n") {
			t.Errorf("before the machine is looked at, %q is printed", out.String())
		}
		return machine.Inspect()
	}
	if err := examine(&out, x, false, nil); err != nil {
		t.Fatalf("%v, want no problem on this machine\n%s", err, out.String())
	}
	text := out.String()
	if strings.ContainsAny(text, "\r\x1b") {
		t.Errorf("a carriage return or an escape code in a pipe: %q", text)
	}
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
}

// --json is one object of the documented fields, and nothing else.
func TestDoctorJSON(t *testing.T) {
	var out bytes.Buffer
	if err := examine(&out, quick(), true, nil); err != nil {
		t.Fatal(err)
	}
	var r doctor.Result
	dec := json.NewDecoder(&out)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		t.Fatal(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		t.Errorf("something follows the object: %v", err)
	}
	if r.Machine.OS == "" || len(r.Randomness.Methods) != len(nonce.Standard()) || r.Verdict.Use == "" || r.Passwords == nil {
		t.Errorf("something is missing: %+v", r)
	}
}

// A problem is exit status 1 and one line that names it, in both forms of the report.
func TestDoctorProblem(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		var out bytes.Buffer
		x := quick()
		x.Inspect = func() machine.Facts {
			return machine.Facts{OS: "Linux", Cores: 2, Random: machine.KernelRandom{Getrandom: machine.Wait, Urandom: machine.Ready}}
		}
		status, message := outcome(examine(&out, x, asJSON, nil), true)
		if status != statusFailed || message != "problem found: kernel" {
			t.Errorf("exit status %d, %q; want %d, problem found: kernel", status, message, statusFailed)
		}
		if text := out.String(); !strings.Contains(text, "Nothing was measured") || asJSON && !strings.Contains(text, `"passwords": null`) {
			t.Errorf("the report does not say so:\n%s", text)
		}
	}
}

// gone is a pipe whose reader has left.
type gone struct{}

var errGone = errors.New("nobody reads this")

func (gone) Write([]byte) (int, error) { return 0, errGone }

func TestDoctorWithoutReader(t *testing.T) {
	x := quick()
	x.Inspect = func() machine.Facts {
		t.Error("a machine is examined for nobody")
		return machine.Facts{}
	}
	if err := examine(gone{}, x, false, nil); !errors.Is(err, errGone) {
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
