// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package machine finds out what this machine is, as far as the cost and the safety of random values depend on it.
//
// [Inspect] gathers the [Facts]; [Facts.Findings] says what each means. What an operating system does not have or does
// not tell stays at its zero value.
package machine

import (
	"crypto/fips140"
	"runtime"
	"runtime/debug"

	"fount/internal/processor"
)

// Facts are what Inspect found.
type Facts struct {
	OS     string `json:"os"`     // the system's own name for itself: Linux, macOS, Windows
	Arch   string `json:"arch"`   // GOARCH
	Kernel string `json:"kernel"` // release, "" if not known

	CPU      string   `json:"cpu"`      // model, "" if not known
	Features []string `json:"features"` // what matters here and this CPU has
	Lacks    []string `json:"lacks"`    // what matters here and it does not have

	Cores      int     `json:"cores"`      // logical CPUs this process may use
	GOMAXPROCS int     `json:"gomaxprocs"` // how many of them Go uses
	CPULimit   float64 `json:"cpu_limit"`  // the cgroups' limit in CPUs, 0 if there is none
	NUMANodes  int     `json:"numa_nodes"` // 0 if not known

	Virtual Tri    `json:"virtual"`    // does a hypervisor run this machine?
	Vendor  string `json:"hypervisor"` // whose, "" if not known

	GoVersion string `json:"go_version"`
	GoLevel   string `json:"go_level"` // GOAMD64=v1 and the like, "" if not recorded in the program
	FIPS      bool   `json:"fips140"`  // crypto/rand is in FIPS 140-3 mode

	Random KernelRandom `json:"kernel_random"`
}

// KernelRandom is what the kernel offers to programs that need random bytes.
type KernelRandom struct {
	Getrandom  State   `json:"getrandom"`            // what getrandom(2) answers
	Urandom    State   `json:"dev_urandom"`          // what /dev/urandom is
	Repeats    bool    `json:"repeats"`              // two reads of 256 bytes were the same
	Device     *Device `json:"dev_random,omitempty"` // what /dev/random gave; nil but on Plan 9
	VDSO       Tri     `json:"vdso"`                 // the vDSO has getrandom and this Go calls it there
	VDSOSymbol string  `json:"vdso_symbol"`          // its name, "" if the vDSO has none
	VDSONS     float64 `json:"vdso_ns"`              // ns per 16 bytes the way Go calls it, 0 if not measured; Inspect leaves it so
	SyscallNS  float64 `json:"syscall_ns"`           // ns per 16 bytes by the plain system call, likewise
}

// State is what became of a source of random bytes when it was tried.
type State string

const (
	Absent State = ""          // this operating system does not have it
	Ready  State = "ready"     // gives bytes
	Wait   State = "not ready" // would block: the kernel has not gathered its first 256 bits
	Gone   State = "missing"   // other machines with this system have it, this one (or this chroot) does not
	Denied State = "denied"    // refused, by seccomp or by permissions
	Stale  State = "stale"     // a regular file that gives the same bytes at each open
	Odd    State = "unusual"   // gives bytes, but is not the kernel's device
)

// Tri is yes, no, or not known.
type Tri string

const (
	Unknown Tri = "unknown"
	Yes     Tri = "yes"
	No      Tri = "no"
)

// Inspect gathers the facts. It takes a few milliseconds, changes nothing, and needs no privileges.
func Inspect() Facts {
	f := Facts{
		OS:         osName(runtime.GOOS),
		Arch:       runtime.GOARCH,
		Cores:      runtime.NumCPU(),
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		Virtual:    Unknown,
		GoVersion:  runtime.Version(),
		GoLevel:    goLevel(),
		FIPS:       fips140.Enabled(),
		Random:     KernelRandom{VDSO: Unknown},
	}
	f.Features, f.Lacks = divide(known(runtime.GOARCH, processor.CPUID()), nil)
	inspectOS(&f)
	return f
}

// Usable reports whether the machine gives random bytes: if not, asking for them blocks, or stops the process.
func (r KernelRandom) Usable() bool {
	if r.Device != nil && !r.Device.answers() {
		return false
	}
	switch r.Getrandom {
	case Wait, Denied:
		return false
	case Gone:
		return r.Urandom == Ready || r.Urandom == Odd
	case Absent:
		return r.Urandom == Ready || r.Urandom == Odd || r.Urandom == Absent
	}
	return true
}

// goLevel is the GOAMD64, GOARM64, ... setting this program was built with.
func goLevel() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "GO386", "GOAMD64", "GOARM", "GOARM64", "GOPPC64", "GORISCV64":
			return s.Key + "=" + s.Value
		}
	}
	return ""
}

// OSName is the name that users of this system give it.
func OSName() string { return osName(runtime.GOOS) }

// osName is how the users of a system call it.
func osName(goos string) string {
	switch goos {
	case "linux":
		return "Linux"
	case "darwin":
		return "macOS"
	case "windows":
		return "Windows"
	case "freebsd":
		return "FreeBSD"
	case "netbsd":
		return "NetBSD"
	case "openbsd":
		return "OpenBSD"
	case "plan9":
		return "Plan 9"
	}
	return goos
}
