// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package machine finds out what the cost and the safety of random values depend on.
//
// [Inspect] gathers the [Facts]; [Facts.Findings] says what each means. What an operating system
// does not have or does not tell stays at its zero value.
package machine

import (
	"bytes"
	"crypto/fips140"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
)

// Facts are what Inspect found.
type Facts struct {
	OS     string `json:"os"`     // the system's own name for itself: Linux, macOS, Windows
	Arch   string `json:"arch"`   // GOARCH
	Kernel string `json:"kernel"` // release, "" if not known
	CPU    string `json:"cpu"`    // model, "" if not known

	Cores      int     `json:"cores"`      // logical CPUs this process may use
	GOMAXPROCS int     `json:"gomaxprocs"` // how many of them Go uses
	CPULimit   float64 `json:"cpu_limit"`  // the cgroups' limit in CPUs, 0 if there is none
	NUMANodes  int     `json:"numa_nodes"` // 0 if not known

	GoVersion string `json:"go_version"`
	FIPS      bool   `json:"fips140"` // crypto/rand is in FIPS 140-3 mode

	Random KernelRandom `json:"kernel_random"`
}

// KernelRandom is what the kernel offers to programs that need random bytes.
type KernelRandom struct {
	Getrandom State   `json:"getrandom"`            // what getrandom(2) answers
	Urandom   State   `json:"dev_urandom"`          // what /dev/urandom is
	Repeats   bool    `json:"repeats"`              // two reads of 256 bytes were the same
	Device    *Device `json:"dev_random,omitempty"` // what /dev/random gave; nil but on Plan 9
	VDSONS    float64 `json:"vdso_ns"`              // per 16 bytes as Go calls getrandom; 0: not known
	SyscallNS float64 `json:"syscall_ns"`           // by the plain system call, likewise
}

// State says how a source of random bytes answered.
type State string

const (
	Absent State = ""          // this operating system does not have it, or it was not asked
	Ready  State = "ready"     // gives bytes
	Wait   State = "not ready" // would block: the kernel has not gathered its first 256 bits
	Gone   State = "missing"   // other machines have it, this one or chroot does not
	Denied State = "denied"    // refused, by seccomp or by permissions
	Stale  State = "stale"     // a regular file that gives the same bytes at each open
	Odd    State = "unusual"   // gives bytes, but is not the kernel's device
)

// Inspect gathers the facts. It takes a few milliseconds, changes nothing, and needs no privileges.
func Inspect() Facts {
	f := Facts{
		OS: OSName(), Arch: runtime.GOARCH, Cores: runtime.NumCPU(), GOMAXPROCS: runtime.GOMAXPROCS(0),
		GoVersion: runtime.Version(), FIPS: fips140.Enabled(),
	}
	inspectOS(&f)
	f.Random.Repeats = f.Random.Usable() && (repeats(RawGetrandom) || repeats(standard))
	return f
}

// Usable reports whether the machine gives random bytes: if not, asking blocks or stops programs.
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

// OSName is the name that users of this system give it.
func OSName() string {
	names := map[string]string{
		"linux": "Linux", "darwin": "macOS", "windows": "Windows", "plan9": "Plan 9",
		"freebsd": "FreeBSD", "netbsd": "NetBSD", "openbsd": "OpenBSD",
	}
	if name, ok := names[runtime.GOOS]; ok {
		return name
	}
	return runtime.GOOS
}

// probe is how much is read twice. Two honest reads are equal with probability 2^-2048.
const probe = 256

// repeats reports whether two reads gave the same bytes. A read that fails is not a repeat.
func repeats(read func([]byte) error) bool {
	a, b := make([]byte, probe), make([]byte, probe)
	return read(a) == nil && read(b) == nil && bytes.Equal(a, b)
}

// standard reads as programs do. It stops the process where there are no random bytes.
func standard(b []byte) error { _, err := rand.Read(b); return err }

// urandomState tells what is at the path that should be the kernel's /dev/urandom. It opens the
// file for each read, as a program does that starts.
func urandomState(path string) State {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Gone
	case err != nil:
		return Denied
	case info.Mode()&os.ModeCharDevice == 0 && !info.Mode().IsRegular():
		return Odd
	}

	one, err1 := readOnce(path)
	two, err2 := readOnce(path)

	switch {
	case errors.Is(err1, fs.ErrPermission):
		return Denied
	case err1 != nil || err2 != nil || bytes.Equal(one, two):
		return Stale
	case info.Mode().IsRegular():
		return Odd
	}
	return Ready
}

func readOnce(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, probe)
	_, err = io.ReadFull(f, b)
	return b, err
}
