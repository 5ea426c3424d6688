// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// What the facts mean for someone who needs random values: pure functions of Facts.

import (
	"cmp"
	"fmt"
	"strings"
)

// Level says whether a finding asks for something.
type Level string

const (
	OK      Level = "ok"      // as it should be
	Note    Level = "note"    // worth knowing, nothing is broken
	Problem Level = "problem" // random values are wrong or missing: fix it first
)

// A Finding is one line of the report: a fact and what it means.
type Finding struct {
	Level Level  `json:"level"`
	Name  string `json:"name"`
	Value string `json:"value"`
	Means string `json:"means"` // one sentence; "" where there is nothing to say
}

// Findings judges the facts, in the order in which they are shown.
func (f Facts) Findings() []Finding {
	findings := []Finding{f.kernel(), f.cpu(), f.goVersion(), f.getrandom(), f.urandom()}

	if f.NUMANodes > 1 {
		findings = append(findings, Finding{Note, "NUMA nodes", fmt.Sprint(f.NUMANodes),
			"State that cores of different nodes share is slow to reach: look at the figures for all cores."})
	}

	if f.Random.Device != nil {
		findings = append(findings, f.device())
	}
	return findings
}

func (f Facts) kernel() Finding {
	x := Finding{Problem, "kernel", strings.TrimSpace(f.OS + " " + f.Kernel), ""}
	switch r := f.Random; {
	case r.Repeats:
		x.Means = fmt.Sprintf("Two reads of %d bytes were the same: no random value made here is secret.", probe)
	case r.Getrandom == Wait:
		x.Means = "Its random generator is not seeded yet: programs that ask for random bytes wait until it is."
	case r.Getrandom == Denied:
		x.Means = "The getrandom system call is refused, by seccomp most likely: Go programs stop at their first random byte."
	case r.Device != nil && !r.Device.answers():
		x.Means = "Its /dev/random gives nothing: no Go program here can have random bytes."
	case !r.Usable():
		x.Means = "It has no getrandom and there is no working /dev/urandom: no program here can have random bytes."
	default:
		x.Level = OK
	}
	return x
}

func (f Facts) cpu() Finding {
	x := Finding{OK, "CPU", fmt.Sprintf("%s, %d cores, GOMAXPROCS %d", cmp.Or(f.CPU, f.Arch), f.Cores, f.GOMAXPROCS), ""}
	if f.CPULimit > 0 {
		x.Value += fmt.Sprintf(", cgroup limit %.3g", f.CPULimit)
	}
	if f.CPULimit > 0 && f.CPULimit < float64(f.GOMAXPROCS) {
		x.Level = Note
		x.Means = fmt.Sprintf("Go would use %d at once; the kernel halts it whenever it has used its %.3g.", f.GOMAXPROCS, f.CPULimit)
	}
	return x
}

func (f Facts) goVersion() Finding {
	x := Finding{OK, "Go", f.GoVersion + " " + f.Arch, ""}
	if f.FIPS {
		x.Level = Note
		x.Value += ", FIPS 140-3 mode"
		x.Means = "crypto/rand runs a generator of its own here and asks the kernel for 16 bytes at each read."
	}
	return x
}

func (f Facts) getrandom() Finding {
	r := f.Random
	value := "by system call"
	if r.SyscallNS > 0 {
		value += fmt.Sprintf(": %.0f ns", r.SyscallNS)
	}

	switch {
	case r.Getrandom == Absent:
		return Finding{OK, "getrandom", "not asked on " + f.OS, ""}
	case r.Getrandom == Gone:
		return Finding{Note, "getrandom", "missing", "This kernel does not know the call; crypto/rand and fount read /dev/urandom instead."}
	case r.Faster():
		return Finding{OK, "getrandom", fmt.Sprintf("in the vDSO: %.0f ns, %s", r.VDSONS, value), "crypto/rand need not enter the kernel."}
	}
	return Finding{Note, "getrandom", value, "Each read of crypto/rand enters the kernel; from Linux 6.11 and Go 1.24 on it need not, on most processors."}
}

// Faster reports whether the way Go calls getrandom took less than half of the plain system call's
// time: then it is in the vDSO, which on machines measured takes a sixth.
func (r KernelRandom) Faster() bool { return 0 < r.VDSONS && r.VDSONS < r.SyscallNS/2 }

func (f Facts) urandom() Finding {
	x := Finding{Note, "/dev/urandom", string(f.Random.Urandom), ""}
	switch f.Random.Urandom {
	case Absent:
		x.Level = OK
		x.Value = "not on " + f.OS
	case Gone:
		x.Means = "Programs that open it fail; those that call getrandom, as Go's do, are not affected."
	case Denied:
		x.Means = "This user may not read it; programs that call getrandom, as Go's do, are not affected."
	case Stale:
		x.Level = Problem
		x.Value = "gives the same at each open"
		x.Means = "It is not the kernel's device: programs that trust it have no secrets."
	case Odd:
		x.Value = "not a device"
		x.Means = "Programs that read it get whatever a file or another program gives."
	default:
		x.Level = OK
	}
	return x
}
