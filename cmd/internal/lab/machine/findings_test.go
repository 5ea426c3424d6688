// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of what the facts mean.

package machine

import (
	"strings"
	"testing"
)

// sound is a machine on which nothing needs saying.
func sound() Facts {
	return Facts{
		OS: "Linux", Arch: "amd64", Kernel: "6.12.0", CPU: "Testium 9000", Cores: 8, GOMAXPROCS: 8, NUMANodes: 1, GoVersion: "go1.26.8",
		Random: KernelRandom{Getrandom: Ready, Urandom: Ready, VDSONS: 43, SyscallNS: 252},
	}
}

func TestFindings(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Facts)
		level  Level  // of the one finding that is not ok, "" if all are
		about  string // its name
		says   string // part of its value and meaning
	}{
		"sound":             {change: func(f *Facts) {}},
		"early boot":        {change: func(f *Facts) { f.Random.Getrandom = Wait }, level: Problem, about: "kernel", says: "not seeded"},
		"seccomp":           {change: func(f *Facts) { f.Random.Getrandom = Denied }, level: Problem, about: "kernel", says: "refused"},
		"repeats":           {change: func(f *Facts) { f.Random.Repeats = true }, level: Problem, about: "kernel", says: "were the same"},
		"file for a device": {change: func(f *Facts) { f.Random.Urandom = Stale }, level: Problem, about: "/dev/urandom", says: "not the kernel's device"},
		"chroot":            {change: func(f *Facts) { f.Random.Urandom = Gone }, level: Note, about: "/dev/urandom", says: "missing"},
		"sandbox":           {change: func(f *Facts) { f.Random.Urandom = Denied }, level: Note, about: "/dev/urandom", says: "denied"},
		"bind mount":        {change: func(f *Facts) { f.Random.Urandom = Odd }, level: Note, about: "/dev/urandom", says: "not a device"},
		"quota":             {change: func(f *Facts) { f.CPULimit = 1.5 }, level: Note, about: "CPU", says: "used its 1.5"},
		"GOMAXPROCS":        {change: func(f *Facts) { f.GOMAXPROCS = 2 }},
		"wide quota":        {change: func(f *Facts) { f.CPULimit = 8 }},
		"nodes":             {change: func(f *Facts) { f.NUMANodes = 4 }, level: Note, about: "NUMA nodes", says: "4. State"},
		"FIPS":              {change: func(f *Facts) { f.FIPS = true }, level: Note, about: "Go", says: "FIPS 140-3 mode. crypto/rand runs"},
		"old kernel":        {change: func(f *Facts) { f.Random.VDSONS = 250 }, level: Note, about: "getrandom", says: "by system call: 252 ns"},
		"before 3.17":       {change: func(f *Facts) { f.Random = KernelRandom{Getrandom: Gone, Urandom: Ready} }, level: Note, about: "getrandom", says: "does not know the call"},
		"macOS":             {change: func(f *Facts) { f.OS, f.Random = "macOS", KernelRandom{Urandom: Ready} }},
		"Windows":           {change: func(f *Facts) { f.OS, f.Random = "Windows", KernelRandom{} }},
	} {
		t.Run(name, func(t *testing.T) {
			f := sound()
			test.change(&f)
			var unusual []Finding
			for _, x := range f.Findings() {
				if x.Level != OK {
					unusual = append(unusual, x)
				}
				checkForm(t, x)
			}
			if test.level == "" {
				if len(unusual) > 0 {
					t.Errorf("want all ok, got %+v", unusual)
				}
				return
			}
			if len(unusual) != 1 {
				t.Fatalf("want one finding that is not ok, got %+v", unusual)
			}
			x := unusual[0]
			if text := x.Value + ". " + x.Means; x.Level != test.level || x.Name != test.about || !strings.Contains(text, test.says) {
				t.Errorf("got %+v, want %s, %s, %q", x, test.level, test.about, test.says)
			}
		})
	}
}

// checkForm requires what the report needs: a value without a full stop, and one sentence with one,
// which only what is as it should be may lack.
func checkForm(t *testing.T, x Finding) {
	t.Helper()
	if x.Name == "" || x.Value == "" || strings.HasSuffix(x.Value, ".") {
		t.Errorf("%+v: want a name and a value without a full stop", x)
	}
	if x.Level == OK && x.Means == "" {
		return
	}
	if !strings.HasSuffix(x.Means, ".") || strings.Contains(x.Means, ". ") {
		t.Errorf("%+v: want one sentence", x)
	}
}

// Without both ways to the kernel's bytes there are none, and that is one more problem.
func TestNoRandomBytes(t *testing.T) {
	for usable, list := range map[bool][]KernelRandom{
		true: {
			{Getrandom: Ready, Urandom: Gone},
			{Getrandom: Gone, Urandom: Ready},
			{},               // Windows
			{Urandom: Ready}, // macOS
		},
		false: {
			{Getrandom: Gone, Urandom: Gone},
			{Getrandom: Gone, Urandom: Stale},
			{Getrandom: Wait, Urandom: Ready},
			{Getrandom: Denied, Urandom: Ready},
			{Urandom: Gone},
		},
	} {
		for _, random := range list {
			f := sound()
			f.Random = random
			isProblem := f.kernel().Level == Problem
			if random.Usable() != usable || isProblem == usable {
				t.Errorf("%+v: usable %v, problem %v; want usable %v", random, random.Usable(), isProblem, usable)
			}
		}
	}
}
