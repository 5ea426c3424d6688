// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of what Linux tells, on the trees of several machines.

package machine

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fount/internal/processor"
	"fount/internal/test/recorded"
)

// all is a processor that has all random instructions, so that what the trees hide shows.
var all = processor.View{RDRAND: true, RDSEED: true, RNDR: true}

func TestReadTree(t *testing.T) {
	tests := []struct {
		machine, arch string

		cpu        string
		has, lacks []string
		nodes      int
		limit      float64
		virtual    Tri
		vendor     string
	}{
		{machine: "kvm-sapphire-rapids", arch: "amd64", cpu: "Intel(R) Xeon(R) Platinum 8488C",
			has:   []string{"AES-NI", "AVX2", "AVX-512F", "VAES", "SHA", "RDRAND", "RDSEED"},
			nodes: 1, limit: 3.5, virtual: Yes, vendor: "Amazon EC2"},
		{machine: "microvm-without-dmi", arch: "amd64", cpu: "Intel(R) Xeon(R) Processor @ 2.50GHz",
			has: []string{"AES-NI", "AVX2", "AVX-512F", "RDRAND", "RDSEED"}, lacks: []string{"VAES", "SHA"},
			nodes: 1, limit: 1.5, virtual: Yes, vendor: "KVM"},
		{machine: "metal-epyc", arch: "amd64", cpu: "AMD EPYC 7713 64-Core Processor",
			has: []string{"AES-NI", "AVX2", "VAES", "SHA", "RDRAND", "RDSEED"}, lacks: []string{"AVX-512F"},
			nodes: 2, virtual: No},
		{machine: "metal-in-a-cloud", arch: "amd64", cpu: "Intel(R) Xeon(R) Platinum 8488C",
			has:   []string{"AES-NI", "AVX2", "AVX-512F", "VAES", "SHA", "RDRAND", "RDSEED"},
			nodes: 2, virtual: No},
		{machine: "kvm-graviton2", arch: "arm64", cpu: "Arm Neoverse N1",
			has: []string{"NEON", "AES", "SHA2"}, lacks: []string{"SVE", "SVE2", "RNDR"},
			nodes: 1, limit: 0.5, virtual: Yes, vendor: "Amazon EC2"},
		{machine: "board-raspberry-pi-4", arch: "arm64", cpu: "Arm Cortex-A72",
			has: []string{"NEON"}, lacks: []string{"AES", "SHA2", "SVE", "SVE2", "RNDR"}, virtual: Unknown},
		{machine: "board-riscv", arch: "riscv64", cpu: "sifive,u74-mc", virtual: Unknown},
		{machine: "hyperv-guest", arch: "amd64", cpu: "AMD EPYC 7763 64-Core Processor",
			has: []string{"AES-NI", "AVX2", "VAES", "SHA", "RDRAND", "RDSEED"}, lacks: []string{"AVX-512F"},
			nodes: 3, limit: 2.5, virtual: Yes, vendor: "Hyper-V"},
		{machine: "xen-guest", arch: "386", cpu: "Intel(R) Xeon(R) CPU E5-2686 v4 @ 2.30GHz",
			has: []string{"AES-NI", "AVX2", "RDRAND", "RDSEED"}, lacks: []string{"AVX-512F", "VAES", "SHA"},
			nodes: 1, virtual: Yes, vendor: "Xen"},
		{machine: "no-proc-mounted", arch: "amd64", virtual: Unknown},
	}
	for _, test := range tests {
		t.Run(test.machine, func(t *testing.T) {
			f := Facts{Arch: test.arch}
			readTree(os.DirFS("testdata/"+test.machine), all, &f)
			if f.CPU != test.cpu {
				t.Errorf("CPU %q, want %q", f.CPU, test.cpu)
			}
			if !slices.Equal(f.Features, test.has) || !slices.Equal(f.Lacks, test.lacks) {
				t.Errorf("has %q and lacks %q, want %q and %q", f.Features, f.Lacks, test.has, test.lacks)
			}
			if f.NUMANodes != test.nodes || f.CPULimit != test.limit {
				t.Errorf("%d nodes, limit %v, want %d and %v", f.NUMANodes, f.CPULimit, test.nodes, test.limit)
			}
			if f.Virtual != test.virtual || f.Vendor != test.vendor {
				t.Errorf("virtual %s, vendor %q, want %s and %q", f.Virtual, f.Vendor, test.virtual, test.vendor)
			}
		})
	}
}

// What is recorded of processors gives the doctor the features that the library would use.
func TestRecordedProcessors(t *testing.T) {
	for _, name := range recorded.Names() {
		b, arch := recorded.Read(name).CPUInfo, "amd64"
		if name == "graviton3" {
			arch = "arm64"
		}
		f := Facts{Arch: arch}
		readTree(fstest.MapFS{"proc/cpuinfo": {Data: b}}, all, &f)
		listed := func(flag string) bool {
			return strings.Contains(string(b)+" ", " "+flag+" ") || strings.Contains(string(b), " "+flag+"\n")
		}
		for feature, flag := range map[string]string{"AVX2": "avx2", "AVX-512F": "avx512f", "RDRAND": "rdrand", "RDSEED": "rdseed", "RNDR": "rng", "SVE": "sve"} {
			if arm := flag == "rng" || flag == "sve"; arm != (arch == "arm64") {
				continue
			}
			if has := slices.Contains(f.Features, feature); has != listed(flag) || has == slices.Contains(f.Lacks, feature) {
				t.Errorf("%s: has %q and lacks %q; %q is listed: %v", name, f.Features, f.Lacks, flag, listed(flag))
			}
		}
	}
}
