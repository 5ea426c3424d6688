// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the doctor's section on passwords.

package doctor

import (
	"bytes"
	"strings"
	"testing"
)

// Both ways are measured, and no progress is left on the screen.
func TestPasswords(t *testing.T) {
	var screen bytes.Buffer
	_, r := run(t, quick(), &screen)
	if got := screen.String(); got == "" || strings.Contains(got, "\n") {
		t.Errorf("progress %q", got)
	}
	p := r.Passwords
	if p == nil || p.Goroutines == nil || p.Pool == nil {
		t.Fatalf("something was not measured: %+v", p)
	}
	if p.Algorithm != "bcrypt" || p.Cost != 4 || p.Callers != 8 || p.Seconds != 0.02 || p.Error != "" || p.HashMS <= 0 {
		t.Errorf("%+v", p)
	}
	if p.Peak != p.Pool.PerSecond || p.Rare <= 0 {
		t.Errorf("%+v", p)
	}
}

// What can't be measured is said, and is no problem of the machine.
func TestPasswordsFail(t *testing.T) {
	x := quick()
	x.Passwords.Cost = 99
	if _, r := run(t, x, nil); r.Problems != 0 || r.Passwords.Error == "" {
		t.Errorf("problems %q, passwords %+v; want none, and why", r.ProblemNames(), r.Passwords)
	}
}
