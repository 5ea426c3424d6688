// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the doctor's section on passwords: where it stands, what it says, and of what it is not.

package doctor

import (
	"bytes"
	"strings"
	"testing"

	"fount/lab/show"
)

// The section is the last one, and its progress leaves no trace.
func TestPasswords(t *testing.T) {
	var screen bytes.Buffer
	text, r := run(t, quick(), &screen)
	_, section, found := strings.Cut(text, "\nVerdict\n")
	if !found {
		t.Fatalf("no verdict:\n%s", text)
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

// What can't be measured is said, and is no problem of the machine.
func TestPasswordsFail(t *testing.T) {
	x := quick()
	x.Passwords.Cost = 99
	text, r := run(t, x, nil)
	if r.Problems != 0 {
		t.Errorf("problems %q, want none", r.ProblemNames())
	}
	if !strings.Contains(text, "\nPasswords\n  Passwords were not measured: hash by bcrypt: ") {
		t.Errorf("the section does not say so:\n%s", text)
	}
}

// The verdict: when no pool is needed, what it saves, and that a busy machine says little.
func TestPasswordsConclude(t *testing.T) {
	quiet := Passwords{
		Cost: 10, HashMS: 58, Callers: 64, Seconds: 2,
		Goroutines: &Load{Compares: 40, PerSecond: 30, Heartbeat: 620, Cores: 2},
		Pool:       &Load{Compares: 220, Within: 218, PerSecond: 110, Heartbeat: 0.4, Cores: 2},
	}
	busy := quiet
	busy.Goroutines = &Load{Within: 90, PerSecond: 50, Heartbeat: 3, Cores: 1.9}
	busy.Pool = &Load{Within: 100, PerSecond: 60, Heartbeat: 2, Cores: 1.1}
	for _, test := range []struct {
		r     Passwords
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
			for line := range strings.Lines(test.r.text(show.Style{Width: width})) {
				if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > width {
					t.Errorf("%d columns of %d: %q", n, width, line)
				}
			}
		}
	}
}
