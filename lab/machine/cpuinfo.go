// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package machine

// Linux's /proc/cpuinfo, whose keys differ from one architecture to the next.

import (
	"strings"
)

// cpuinfo is what /proc/cpuinfo says of the first CPU.
type cpuinfo struct {
	model string   // "" if it does not say
	flags []string // nil if it does not say
}

// parseCPUInfo reads the keys of x86 (model name, flags), arm (CPU implementer, CPU part, Features), riscv (uarch, isa),
// and loongarch (Model Name, Features). It takes each key's first value: all CPUs are taken to be alike.
func parseCPUInfo(text string) cpuinfo {
	first := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		if ok && value != "" && first[key] == "" {
			first[key] = value
		}
	}
	c := cpuinfo{model: first["model name"]}
	if c.model == "" {
		c.model = armModel(first["cpu implementer"], first["cpu part"])
	}
	if c.model == "" {
		c.model = first["uarch"]
	}
	c.model = strings.Join(strings.Fields(c.model), " ")
	for _, key := range []string{"flags", "features"} {
		if c.flags == nil && first[key] != "" {
			c.flags = strings.Fields(first[key])
		}
	}
	return c
}

// armModel names the cores that servers have, from the MIDR fields of the Arm Architecture Reference Manual; Linux gives
// only numbers.
func armModel(implementer, part string) string {
	if implementer == "" || part == "" {
		return ""
	}
	switch implementer + " " + part {
	case "0x41 0xd08":
		return "Arm Cortex-A72"
	case "0x41 0xd0b":
		return "Arm Cortex-A76"
	case "0x41 0xd0c":
		return "Arm Neoverse N1"
	case "0x41 0xd40":
		return "Arm Neoverse V1"
	case "0x41 0xd49":
		return "Arm Neoverse N2"
	case "0x41 0xd4f":
		return "Arm Neoverse V2"
	case "0xc0 0xac3":
		return "Ampere-1"
	}
	return "Arm implementer " + implementer + " part " + part
}
