// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Package recorded has what some processors and their kernels show, as published by their owners. It is for tests: no
// program links it.
package recorded

import (
	"bytes"
	"embed"
	"fmt"
	"path"
)

//go:embed testdata
var files embed.FS

// A Processor is one recording.
type Processor struct {
	RDRAND, RDSEED bool   // by its CPUID, which an x86 has
	CPUInfo        []byte // its /proc/cpuinfo
}

// Names returns the names of all.
func Names() (names []string) {
	entries, err := files.ReadDir("testdata")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Read returns a recording. Its file has where it comes from, after #; its CPUID, if it is an x86; and its /proc/cpuinfo.
func Read(name string) (p Processor) {
	b, err := files.ReadFile(path.Join("testdata", name))
	if err != nil {
		panic(err)
	}
	rest := bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	for len(rest) > 0 && (rest[0] == '#' || bytes.HasPrefix(rest, []byte("CPUID "))) {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		var leaf, eax, ebx, ecx, edx uint32
		if n, _ := fmt.Sscanf(string(line), "CPUID %x: %x-%x-%x-%x", &leaf, &eax, &ebx, &ecx, &edx); n < 5 {
			continue
		}
		switch leaf {
		case 1:
			p.RDRAND = ecx>>30&1 != 0
		case 7:
			p.RDSEED = ebx>>18&1 != 0
		}
	}
	p.CPUInfo = rest
	return p
}
