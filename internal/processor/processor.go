// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package processor judges which of the processor's random instructions may be used. It is the only place that does, so
// that package kernel and fount doctor say the same.
//
// CPUID says what the processor has. What the kernel lists in /proc/cpuinfo can be less: where an instruction is broken, as
// RDSEED of some Zen 5 is (AMD-SB-7055), or switched off by the administrator. On bare metal the kernel makes CPUID agree;
// in a virtual machine it can't. What the kernel hides is not used. Where it can't be asked (no /proc, other systems),
// CPUID decides: the instructions count for no entropy, and their output is tested.
//
// Vector units are not judged here: an operating system that hides them takes them out of XCR0, which golang.org/x/sys/cpu
// looks at.
package processor

import (
	"bytes"
	"slices"
	"strings"
	"sync/atomic"
)

// A View is what is known of a processor.
type View struct {
	// What the processor itself says: CPUID leaf 1, ECX bit 30, and leaf 7, EBX bit 18.
	RDRAND, RDSEED bool
	// RNDR is what the kernel says of arm64's instruction in AT_HWCAP2.
	RNDR bool
	// Flags are those that the kernel lists for each processor, nil if it could not be asked.
	Flags []string
}

// A Verdict says of each instruction why it must not be used, "" if it may.
type Verdict struct{ RDRAND, RDSEED string }

// Judge judges a View.
func Judge(v View) Verdict {
	return Verdict{judge("rdrand", v.RDRAND, v.Flags), judge("rdseed", v.RDSEED, v.Flags)}
}

func judge(flag string, has bool, flags []string) string {
	switch {
	case !has:
		return "this processor has no such instruction"
	case flags != nil && !slices.Contains(flags, flag):
		return "the kernel hides it: CPUID shows it, /proc/cpuinfo does not"
	}
	return ""
}

// Flags returns the flags that an x86's /proc/cpuinfo lists for all of its processors, nil if it is no such file. Text that
// ends within a line is taken to end before it.
func Flags(cpuinfo []byte) (flags []string) {
	cpuinfo = cpuinfo[:bytes.LastIndexByte(cpuinfo, '\n')+1]
	for line := range bytes.Lines(cpuinfo) {
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok || string(bytes.TrimSpace(name)) != "flags" {
			continue
		}
		list := strings.Fields(string(value))
		if flags == nil {
			flags = list
			continue
		}
		flags = slices.DeleteFunc(flags, func(f string) bool { return !slices.Contains(list, f) })
	}
	// Each x86 that can run Go has these two; a list without them is not a list of its flags.
	if !slices.Contains(flags, "fpu") || !slices.Contains(flags, "cx8") {
		return nil
	}
	return flags
}

var (
	here    atomic.Pointer[Verdict]
	unasked = Verdict{"the kernel could not be asked about it yet", "the kernel could not be asked about it yet"}
)

// Here returns the verdict on this machine. The first call reads /proc/cpuinfo, and takes some 30 µs; if the process has no
// descriptor for that, nothing is used until another call has one.
func Here() Verdict {
	if v := here.Load(); v != nil {
		return *v
	}
	flags, scarce := listed()
	if scarce {
		return unasked
	}
	view := CPUID()
	view.Flags = flags
	v := Judge(view)
	here.CompareAndSwap(nil, &v)
	return *here.Load()
}
