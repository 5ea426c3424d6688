// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package processor

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"fount/internal/test/recorded"
)

func TestRecordedProcessors(t *testing.T) {
	const hidden, none = "the kernel hides it: CPUID shows it, /proc/cpuinfo does not", "this processor has no such instruction"
	wants := map[string]Verdict{
		"zen3":               {},
		"zen4":               {},
		"zen5":               {},
		"zen5-rdseed-hidden": {"", hidden},
		"skylake":            {},
		"ice-lake":           {},
		"sapphire-rapids":    {},
		"graviton3":          {none, none},
	}
	if names := recorded.Names(); len(names) != len(wants) {
		t.Errorf("%d processors are recorded, want %d", len(names), len(wants))
	}
	for name, want := range wants {
		p := recorded.Read(name)
		v := View{RDRAND: p.RDRAND, RDSEED: p.RDSEED, Flags: Flags(p.CPUInfo)}
		if x86 := name != "graviton3"; (v.Flags != nil) != x86 || v.RDRAND != x86 {
			t.Errorf("%s: RDRAND %v, %d flags", name, v.RDRAND, len(v.Flags))
		}
		if got := Judge(v); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestJudge(t *testing.T) {
	both := []string{"fpu", "cx8", "rdrand", "rdseed"}
	for _, c := range []struct {
		v              View
		rdrand, rdseed string // part of the verdict
	}{
		{View{RDRAND: true, RDSEED: true, Flags: both}, "", ""},
		{View{RDRAND: true, RDSEED: true}, "", ""}, // no /proc
		{View{RDRAND: true, RDSEED: true, Flags: both[:2]}, "hides", "hides"},
		{View{RDRAND: true, Flags: both[:3]}, "", "no such"},
		{View{Flags: both}, "no such", "no such"}, // listed, and an illegal instruction
		{View{}, "no such", "no such"},
	} {
		got := Judge(c.v)
		if (got.RDRAND == "") != (c.rdrand == "") || !strings.Contains(got.RDRAND, c.rdrand) ||
			(got.RDSEED == "") != (c.rdseed == "") || !strings.Contains(got.RDSEED, c.rdseed) {
			t.Errorf("%+v: %+v, want %q and %q", c.v, got, c.rdrand, c.rdseed)
		}
	}
}

func TestFlags(t *testing.T) {
	const one = "processor\t: 0\nflags\t\t: fpu cx8 rdrand rdseed\n"
	const hidden = "processor\t: 1\nflags\t\t: fpu cx8 rdrand\n"
	for text, want := range map[string][]string{
		one:                              {"fpu", "cx8", "rdrand", "rdseed"},
		one + "\n" + hidden:              {"fpu", "cx8", "rdrand"}, // not in all of them
		hidden + "\n" + one:              {"fpu", "cx8", "rdrand"},
		one + "\nflags\t\t: fpu cx8 rdr": {"fpu", "cx8", "rdrand", "rdseed"}, // cut off
		"flags\t\t: fpu cx8 rdr":         nil,
		"flags:\n":                       nil,
		"Features\t: fp asimd rng\n":     nil,
		"":                               nil,
	} {
		if got := Flags([]byte(text)); !slices.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzFlags(f *testing.F) {
	f.Add(recorded.Read("skylake").CPUInfo)
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, flag := range Flags(b) {
			if !bytes.Contains(b, []byte(flag)) {
				t.Errorf("%q is not in the text", flag)
			}
		}
	})
}

// The verdict on this machine is that on what it shows, and no instruction is used that it lacks.
func TestHere(t *testing.T) {
	v := CPUID()
	v.Flags, _ = listed()
	if got, want := Here(), Judge(v); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if n := testing.AllocsPerRun(100, func() { Here() }); n != 0 {
		t.Errorf("asking again allocates %v times", n)
	}
}
