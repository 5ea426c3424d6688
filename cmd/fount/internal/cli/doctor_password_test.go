// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the doctor's section on passwords: where it stands, what it says, and of what it is not.

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"fount/lab/machine"
	"fount/lab/show"
)

// The section is the last one, and its progress leaves no trace.
func TestDoctorPasswords(t *testing.T) {
	var out, screen bytes.Buffer
	x := quick(&out, false)
	x.screen = &screen
	if err := x.run(); err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(out.String(), "\nVerdict\n")
	if !found {
		t.Fatalf("no verdict:\n%s", out.String())
	}
	rest := section
	for _, part := range []string{"\nPasswords: 8 callers at once for ", "hashes/s", "\n  goroutines ",
		"\n  password.Pool ",
		"One bcrypt of cost 4 takes ", "You don't need a pool if ", "Pool before the hash"} {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%q is not there, or not in its place:\n%s", part, section)
		}
		rest = after
	}
	if got := screen.String(); !strings.Contains(got, "\r8 callers of pool+lanes: ") || !strings.Contains(got,
		"\r8 callers of max_out: ") ||
		strings.Contains(got, "\n") {
		t.Errorf("progress %q", got)
	}
}

func TestDoctorPasswordsJSON(t *testing.T) {
	var out bytes.Buffer
	if err := quick(&out, true).run(); err != nil {
		t.Fatal(err)
	}
	var r doctorReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	p := r.Passwords
	if p == nil || p.Goroutines == nil || p.Pool == nil {
		t.Fatalf("something was not measured: %+v", p)
	}
	if p.Algorithm != "bcrypt" || p.Cost != 4 || p.Callers != 8 || p.Seconds != 0.02 || p.Error != "" || p.HashMS <= 0 {
		t.Errorf("%+v", p)
	}
	if p.Peak != p.Pool.PerSecond || p.Rare <= 0 || len(p.Sentences) < 3 {
		t.Errorf("%+v", p)
	}
}

// Where random bytes can't be had there is no salt: nothing is hashed.
func TestDoctorPasswordsWithoutRandom(t *testing.T) {
	var out bytes.Buffer
	x := quick(&out, true)
	x.inspect = func() machine.Facts {
		f := healthy()
		f.Random = machine.KernelRandom{Getrandom: machine.Wait, Urandom: machine.Ready}
		return f
	}
	if status, _ := outcome(x.run(), true); status != statusFailed {
		t.Errorf("exit status %d, want %d", status, statusFailed)
	}
	if !strings.Contains(out.String(), `"passwords": null`) {
		t.Errorf("the section is not null:\n%s", out.String())
	}
}

// What can't be measured is said, and is no problem of the machine.
func TestDoctorPasswordsFail(t *testing.T) {
	var out bytes.Buffer
	x := quick(&out, false)
	x.passwordPlan.cost = 99
	if err := x.run(); err != nil {
		t.Errorf("%v, want no error", err)
	}
	if !strings.Contains(out.String(), "\nPasswords\n  Passwords were not measured: hash by bcrypt: ") {
		t.Errorf("the section does not say so:\n%s", out.String())
	}
	x = quick(gone{}, false)
	x.passwordPlan.cost = 99
	if err := x.run(); !errors.Is(err, errGone) {
		t.Errorf("%v, want %v", err, errGone)
	}
}

// The verdict: when no pool is needed, what it saves, and that a busy machine says little.
func TestDoctorPasswordsConclude(t *testing.T) {
	quiet := passwordsReport{
		Cost: 10, HashMS: 58, Callers: 64, Seconds: 2,
		Goroutines: &passwordLoad{Compares: 40, PerSecond: 30, Heartbeat: 620, Cores: 2},
		Pool:       &passwordLoad{Compares: 220, Within: 218, PerSecond: 110, Heartbeat: 0.4, Cores: 2},
	}
	busy := quiet
	busy.Goroutines = &passwordLoad{Within: 90, PerSecond: 50, Heartbeat: 3, Cores: 1.9}
	busy.Pool = &passwordLoad{Within: 100, PerSecond: 60, Heartbeat: 2, Cores: 1.1}
	for _, test := range []struct {
		r     passwordsReport
		want  []string
		never string
	}{
		{quiet, []string{"takes 58 ms of a core. This machine bears 110 logins/s.", "at once, 1.7/s or fewer,",
			"Without a bound the cores hash no less, 30/s, but the callers wait: 0/s are answered within 1 s.",
			"The pool's 3.7 times as many are its bcrypt,",
			"a 1 ms heartbeat came 620 ms late (p99), with the pool 0.400 ms."}, "busy"},
		{busy, []string{"The machine was busy meanwhile (the pool got 1.1 of 2 cores)"}, "Without"},
	} {
		test.r.conclude(2)
		text := strings.Join(test.r.Sentences, " ")
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %q", want, text)
			}
		}
		if strings.Contains(text, test.never) {
			t.Errorf("%q is in %q", test.never, text)
		}
		for _, width := range []int{40, 80, 100} {
			for line := range strings.Lines(passwordsSection(test.r, show.Style{Width: width})) {
				if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
					t.Errorf("%d columns of %d: %q", n, width, line)
				}
			}
		}
	}
}
