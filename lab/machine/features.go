// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// The CPU features that random values depend on: AES and SHA for the kernel and FIPS mode, the vector widths for
// ChaCha20, and the instructions that give random bytes themselves.

import (
	"slices"

	"fount/internal/processor"

	"golang.org/x/sys/cpu"
)

// A feature has the name people use, the flag of /proc/cpuinfo, and what x/sys says where there is no such file.
type feature struct {
	name, flag string
	has        bool
	unseen     bool // x/sys does not know it: without /proc/cpuinfo it is left out
	judged     bool // package processor has judged it, by /proc/cpuinfo too
}

// known lists the features of an architecture. The random instructions are those that fount itself would use on a processor
// that shows v.
func known(goarch string, v processor.View) []feature {
	usable := processor.Judge(v)
	switch goarch {
	case "amd64", "386":
		return []feature{
			{name: "AES-NI", flag: "aes", has: cpu.X86.HasAES},
			{name: "AVX2", flag: "avx2", has: cpu.X86.HasAVX2},
			{name: "AVX-512F", flag: "avx512f", has: cpu.X86.HasAVX512F},
			{name: "VAES", flag: "vaes", has: cpu.X86.HasAVX512VAES},
			{name: "SHA", flag: "sha_ni", unseen: true},
			{name: "RDRAND", flag: "rdrand", has: usable.RDRAND == "", judged: true},
			{name: "RDSEED", flag: "rdseed", has: usable.RDSEED == "", judged: true},
		}
	case "arm64":
		return []feature{
			{name: "NEON", flag: "asimd", has: cpu.ARM64.HasASIMD},
			{name: "AES", flag: "aes", has: cpu.ARM64.HasAES},
			{name: "SHA2", flag: "sha2", has: cpu.ARM64.HasSHA2},
			{name: "SVE", flag: "sve", has: cpu.ARM64.HasSVE},
			{name: "SVE2", flag: "sve2", has: cpu.ARM64.HasSVE2},
			{name: "RNDR", flag: "rng", has: v.RNDR},
		}
	}
	return nil
}

// divide sorts the known features into those the CPU has and those it lacks. flags are /proc/cpuinfo's, which also tell what
// the kernel has switched off; nil asks the CPU itself. It returns two lists that are not nil, so that JSON has [] and not null.
func divide(known []feature, flags []string) (has, lacks []string) {
	has, lacks = []string{}, []string{}
	for _, f := range known {
		if flags == nil && f.unseen {
			continue
		}
		if flags != nil && !f.judged {
			f.has = slices.Contains(flags, f.flag)
		}
		if f.has {
			has = append(has, f.name)
		} else {
			lacks = append(lacks, f.name)
		}
	}
	return has, lacks
}
