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
	tests := []struct {
		name   string
		change func(*Facts)
		level  Level  // of the one finding that is not ok
		about  string // its name
		says   string // part of its value and meaning
	}{
		{"sound", func(f *Facts) {}, OK, "", ""},
		{"early boot", func(f *Facts) { f.Random.Getrandom, f.Random.SyscallNS, f.Random.VDSONS = Wait, 252, 43 }, Problem, "kernel", "not seeded"},
		{"seccomp", func(f *Facts) { f.Random.Getrandom = Denied }, Problem, "kernel", "refused"},
		{"repeats", func(f *Facts) { f.Random.Repeats = true }, Problem, "kernel", "were the same"},
		{"file for a device", func(f *Facts) { f.Random.Urandom = Stale }, Problem, "/dev/urandom", "not the kernel's device"},
		{"chroot", func(f *Facts) { f.Random.Urandom = Gone }, Note, "/dev/urandom", "missing"},
		{"sandbox", func(f *Facts) { f.Random.Urandom = Denied }, Note, "/dev/urandom", "denied"},
		{"bind mount", func(f *Facts) { f.Random.Urandom = Odd }, Note, "/dev/urandom", "not a device"},
		{"quota", func(f *Facts) { f.CPULimit = 1.5 }, Note, "CPU", "used its 1.5"},
		{"GOMAXPROCS", func(f *Facts) { f.GOMAXPROCS = 2 }, OK, "", ""},
		{"wide quota", func(f *Facts) { f.CPULimit = 8 }, OK, "", ""},
		{"nodes", func(f *Facts) { f.NUMANodes = 4 }, Note, "NUMA nodes", "4. State"},
		{"FIPS", func(f *Facts) { f.FIPS = true }, Note, "Go", "FIPS 140-3 mode. crypto/rand runs"},
		{"old kernel", func(f *Facts) { f.Random.VDSONS = 250 }, Note, "getrandom", "by system call: 252 ns"},
		{"before 3.17", func(f *Facts) { f.Random = KernelRandom{Getrandom: Gone, Urandom: Ready} }, Note, "getrandom", "does not know the call"},
		{"macOS", func(f *Facts) { f.OS, f.NUMANodes, f.Random = "macOS", 0, KernelRandom{Urandom: Ready} }, OK, "", ""},
		{"Windows", func(f *Facts) { f.OS, f.NUMANodes, f.Random = "Windows", 0, KernelRandom{} }, OK, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := sound()
			test.change(&f)
			var unusual []Finding
			for _, x := range f.Findings() {
				if x.Level != OK {
					unusual = append(unusual, x)
				}
				checkForm(t, x)
			}
			if test.level == OK {
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
	for _, test := range []struct {
		random KernelRandom
		usable bool
	}{
		{KernelRandom{Getrandom: Ready, Urandom: Gone}, true},
		{KernelRandom{Getrandom: Gone, Urandom: Ready}, true},
		{KernelRandom{Getrandom: Gone, Urandom: Gone}, false},
		{KernelRandom{Getrandom: Gone, Urandom: Stale}, false},
		{KernelRandom{Getrandom: Wait, Urandom: Ready}, false},
		{KernelRandom{Getrandom: Denied, Urandom: Ready}, false},
		{KernelRandom{}, true},               // Windows
		{KernelRandom{Urandom: Ready}, true}, // macOS
		{KernelRandom{Urandom: Gone}, false},
	} {
		if got := test.random.Usable(); got != test.usable {
			t.Errorf("%+v: usable %v, want %v", test.random, got, test.usable)
		}
		f := sound()
		f.Random = test.random
		if got := f.kernel().Level == Problem; got == test.usable {
			t.Errorf("%+v: problem %v, usable %v", test.random, got, test.usable)
		}
	}
}
