// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// What the facts mean for someone who needs random values. Everything here is a pure function of Facts.

import (
	"cmp"
	"fmt"
	"slices"
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
	Means string `json:"means"` // one sentence
}

// Findings judges the facts, in the order in which they are shown.
func (f Facts) Findings() []Finding {
	findings := []Finding{
		f.kernel(),
		f.cpu(),
		f.cores(),
		f.hypervisor(),
		f.goVersion(),
		f.getrandom(),
		f.urandom(),
		f.numa(),
	}
	if f.Random.Device != nil {
		findings = append(findings, f.device())
	}
	return findings
}

func (f Facts) kernel() Finding {
	x := Finding{OK, "kernel", strings.TrimSpace(f.OS + " " + f.Kernel), "Its random generator is seeded."}
	switch {
	case f.Random.Repeats:
		x.Level, x.Means = Problem, fmt.Sprintf("Two reads of %d bytes were the same: no random value made here is secret.", probe)
	case f.Random.Getrandom == Wait:
		x.Level, x.Means = Problem, "Its random generator is not seeded yet: programs that ask for random bytes wait until it is."
	case f.Random.Getrandom == Denied:
		x.Level, x.Means = Problem, "The getrandom system call is refused, by seccomp most likely: Go programs stop at their first random byte."
	case f.Random.Device != nil && !f.Random.Device.answers():
		x.Level, x.Means = Problem, "Its /dev/random gives nothing: no Go program here can have random bytes."
	case !f.Random.Usable():
		x.Level, x.Means = Problem, "It has no getrandom and there is no working /dev/urandom: no program here can have random bytes."
	}
	return x
}

func (f Facts) cpu() Finding {
	x := Finding{OK, "CPU", cmp.Or(f.CPU, f.Arch+", model not told"), "No feature of this architecture changes what random values cost."}
	switch {
	case len(f.Features) > 0 && len(f.Lacks) > 0:
		x.Means = fmt.Sprintf("It has %s; it lacks %s.", words(f.Features), words(f.Lacks))
	case len(f.Features) > 0:
		x.Means = fmt.Sprintf("It has %s.", words(f.Features))
	case len(f.Lacks) > 0:
		x.Means = fmt.Sprintf("It lacks %s.", words(f.Lacks))
	}
	return x
}

func (f Facts) cores() Finding {
	value := fmt.Sprintf("%d, GOMAXPROCS %d", f.Cores, f.GOMAXPROCS)
	if f.CPULimit > 0 {
		value += fmt.Sprintf(", cgroup limit %.3g", f.CPULimit)
	}
	x := Finding{OK, "cores", value, "Go uses all of them."}
	switch {
	case f.GOMAXPROCS > f.Cores:
		x.Means = fmt.Sprintf("%d goroutines at once share them.", f.GOMAXPROCS)
	case f.GOMAXPROCS < f.Cores:
		x.Means = fmt.Sprintf("Go uses %d of them.", f.GOMAXPROCS)
	}
	switch {
	case f.CPULimit > 0 && f.CPULimit < float64(f.GOMAXPROCS):
		x.Level = Note
		x.Means = fmt.Sprintf("Go would use %d at once; the kernel halts it whenever it has used its %.3g.", f.GOMAXPROCS, f.CPULimit)
	}
	return x
}

func (f Facts) hypervisor() Finding {
	switch f.Virtual {
	case Yes:
		return Finding{Note, "hypervisor", cmp.Or(f.Vendor, "yes, it does not say whose"),
			"A VM that is resumed twice repeats buffered random bytes."}
	case No:
		return Finding{OK, "hypervisor", "none seen", "That proves little, and fount does not rely on it: a hypervisor can hide, and a hibernated machine can be copied."}
	}
	return Finding{Note, "hypervisor", "not told by " + f.OS + " on " + f.Arch, "Take it for a VM: one that is resumed twice repeats buffered random bytes."}
}

func (f Facts) goVersion() Finding {
	value := f.GoVersion + " " + f.Arch
	if f.GoLevel != "" {
		value += ", " + f.GoLevel
	}
	if f.FIPS {
		return Finding{Note, "Go", value + ", FIPS 140-3 mode",
			"crypto/rand runs a generator of its own here and asks the kernel for 16 bytes at each read."}
	}
	return Finding{OK, "Go", value, "FIPS 140-3 mode is off."}
}

func (f Facts) getrandom() Finding {
	r := f.Random
	inVDSO, syscall := "in the vDSO", "by system call"
	if r.VDSOSymbol != "" {
		inVDSO += " (" + r.VDSOSymbol + ")"
	}
	if r.VDSONS > 0 && r.SyscallNS > 0 {
		inVDSO += fmt.Sprintf(": %.0f ns, system call %.0f ns", r.VDSONS, r.SyscallNS)
		syscall += fmt.Sprintf(": %.0f ns", r.SyscallNS)
	}
	const name = "getrandom"
	switch {
	case r.Getrandom == Absent:
		return Finding{OK, name, "not on " + f.OS, "crypto/rand asks in another way; the figures below show what that costs."}
	case r.Getrandom == Gone:
		return Finding{Note, name, "missing", "This kernel does not know the call; crypto/rand and fount read /dev/urandom instead."}
	case r.VDSO == Yes && r.VDSONS > 0 && !r.Faster():
		return Finding{Note, name, inVDSO, "It is there, and it is no faster than the system call."}
	case r.VDSO == Yes:
		return Finding{OK, name, inVDSO, "crypto/rand need not enter the kernel."}
	case r.VDSO == Unknown && r.Faster():
		return Finding{OK, name, inVDSO, "This process may not look at its own vDSO, but the time says that crypto/rand need not enter the kernel."}
	case r.VDSOSymbol != "":
		return Finding{Note, name, syscall, "The kernel offers " + r.VDSOSymbol + ", but Go does not call it on " + f.Arch + ": each read of crypto/rand enters the kernel."}
	case f.OS == "Linux" && slices.Contains(vdsoArchs, f.Arch):
		return Finding{Note, name, syscall, "Each read of crypto/rand enters the kernel; Linux 6.11 and later can avoid that."}
	case f.OS == "Linux":
		return Finding{Note, name, syscall, "Each read of crypto/rand enters the kernel; Go knows no other way on " + f.Arch + "."}
	}
	return Finding{Note, name, syscall, "Each read of crypto/rand enters the kernel."}
}

// Faster reports whether the way Go calls getrandom took less than half of the plain system call's time. On machines
// measured the vDSO takes a sixth.
func (r KernelRandom) Faster() bool {
	return r.VDSONS > 0 && r.VDSONS < r.SyscallNS/2
}

func (f Facts) urandom() Finding {
	x := Finding{OK, "/dev/urandom", string(f.Random.Urandom), "Programs that read it get the kernel's bytes."}
	switch f.Random.Urandom {
	case Absent:
		x.Value, x.Means = "not on "+f.OS, "Nothing here needs it."
	case Gone:
		x.Level, x.Means = Note, "Programs that open it fail; those that call getrandom, as Go's do, are not affected."
	case Denied:
		x.Level, x.Means = Note, "This user may not read it; programs that call getrandom, as Go's do, are not affected."
	case Stale:
		x.Level, x.Value, x.Means = Problem, "gives the same at each open", "It is not the kernel's device: programs that trust it have no secrets."
	case Odd:
		x.Level, x.Value, x.Means = Note, "not a device", "Programs that read it get whatever a file or another program gives."
	}
	return x
}

func (f Facts) numa() Finding {
	switch {
	case f.NUMANodes == 0:
		return Finding{OK, "NUMA nodes", "not told by " + f.OS, "It matters on machines with several sockets only."}
	case f.NUMANodes == 1:
		return Finding{OK, "NUMA nodes", "1", "All cores are equally near to all memory."}
	}
	return Finding{Note, "NUMA nodes", fmt.Sprint(f.NUMANodes), "State that cores of different nodes share is slow to reach: look at the figures for all cores."}
}

// words joins a list for a sentence.
func words(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
