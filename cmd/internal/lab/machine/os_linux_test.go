// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of what Linux tells, on the trees of several machines.

package machine

import (
	"os"
	"strings"
	"testing"
)

func TestReadTree(t *testing.T) {
	for _, test := range []struct {
		machine string
		cpu     string
		nodes   int
		limit   float64
	}{
		{"kvm-sapphire-rapids", "Intel(R) Xeon(R) Platinum 8488C", 1, 3.5},
		{"microvm-without-dmi", "Intel(R) Xeon(R) Processor @ 2.50GHz", 1, 1.5},
		{"metal-epyc", "AMD EPYC 7713 64-Core Processor", 2, 0},
		{"kvm-graviton2", "Arm Neoverse N1", 1, 0.5},
		{"board-raspberry-pi-4", "Arm Cortex-A72", 0, 0},
		{"board-riscv", "sifive,u74-mc", 0, 0},
		{"hyperv-guest", "AMD EPYC 7763 64-Core Processor", 3, 2.5},
		{"xen-guest", "Intel(R) Xeon(R) CPU E5-2686 v4 @ 2.30GHz", 1, 0},
		{"no-proc-mounted", "", 0, 0},
	} {
		var f Facts
		readTree(os.DirFS("testdata/"+test.machine), &f)
		if f.CPU != test.cpu || f.NUMANodes != test.nodes || f.CPULimit != test.limit {
			t.Errorf("%s: %+v, want %+v", test.machine, f, test)
		}
	}
}

func FuzzCPUModel(f *testing.F) {
	f.Add("model name\t: A  B \nflags\t\t: aes sse\n")
	f.Add("CPU implementer\t: 0x41\nCPU part\t: 0xd4f\n")
	f.Add("no colon")
	f.Fuzz(func(t *testing.T, s string) {
		if got := cpuModel(s); got != strings.Join(strings.Fields(got), " ") {
			t.Errorf("cpuModel(%q) = %q", s, got)
		}
	})
}

// What is timed here took some time, and no tenth of a second.
func TestInspect(t *testing.T) {
	f := Inspect()
	if r := f.Random; r.Getrandom == Ready && !(r.VDSONS > 0 && r.SyscallNS > 0 && r.SyscallNS < 1e8) || r.Repeats || !r.Usable() {
		t.Errorf("%+v", r)
	}
	for _, x := range f.Findings() {
		checkForm(t, x)
	}
}
