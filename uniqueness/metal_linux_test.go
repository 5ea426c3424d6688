// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build amd64 || 386

package uniqueness

import (
	"strings"
	"testing"
)

const (
	cpuMetal = "processor\t: 0\nmodel name\t: hypervisor of names\nflags\t\t: fpu vme cx8 sse sse2\n\nprocessor\t: 1\nflags\t\t: fpu vme cx8 sse sse2\n"
	cpuGuest = "processor\t: 0\nflags\t\t: fpu vme cx8 sse2 hypervisor lahf_lm\n"
)

func TestMetal(t *testing.T) {
	metal := machine{cpuinfo: []byte(cpuMetal), dmi: []byte("LENOVO\n20XW\n"), clocks: []byte("tsc hpet acpi_pm \n")}
	for name, c := range map[string]struct {
		change func(m *machine)
		why    string // "": bare metal
	}{
		"a laptop":                  {func(m *machine) {}, ""},
		"whole machine of a cloud":  {func(m *machine) { m.dmi = []byte("Amazon EC2\nc5.metal\n") }, ""},
		"the flag":                  {func(m *machine) { m.cpuinfo = []byte(cpuGuest) }, "flag hypervisor"},
		"the flag on one CPU":       {func(m *machine) { m.cpuinfo = []byte(cpuMetal + cpuGuest) }, "flag hypervisor"},
		"no cpuinfo":                {func(m *machine) { m.cpuinfo = nil }, "no flags of an x86"},
		"cpuinfo of an ARM":         {func(m *machine) { m.cpuinfo = []byte("Features\t: fp asimd\n") }, "no flags of an x86"},
		"empty flags":               {func(m *machine) { m.cpuinfo = []byte("flags\t:\n") }, "no flags of an x86"},
		"one CPU with empty flags":  {func(m *machine) { m.cpuinfo = []byte(cpuMetal + "flags\t:\n") }, "no flags of an x86"},
		"first CPU without flags":   {func(m *machine) { m.cpuinfo = []byte("flags\t:\n" + cpuMetal) }, "no flags of an x86"},
		"Xen":                       {func(m *machine) { m.hypervisor = []byte("xen\n") }, "says: xen"},
		"unreadable /sys":           {func(m *machine) { m.hypervisor = []byte("permission denied") }, "permission denied"},
		"no DMI":                    {func(m *machine) { m.dmi = []byte("\n\n\n") }, "can't be read"},
		"QEMU":                      {func(m *machine) { m.dmi = []byte("QEMU\nStandard PC (Q35 + ICH9, 2009)\n") }, "\"qemu\""},
		"Hyper-V":                   {func(m *machine) { m.dmi = []byte("Microsoft Corporation\nVirtual Machine\n") }, "\"virtual\""},
		"Xen in the DMI":            {func(m *machine) { m.dmi = []byte("Xen\nHVM domU\n") }, "\"xen\""},
		"instance of a cloud":       {func(m *machine) { m.dmi = []byte("Amazon EC2\nm5.large\n") }, "\"amazon ec2\""},
		"no clock sources":          {func(m *machine) { m.clocks = nil }, "can't be read"},
		"a guest's clock":           {func(m *machine) { m.clocks = []byte("kvm-clock tsc\n") }, "kvm-clock"},
		"a clock source of Hyper-V": {func(m *machine) { m.clocks = []byte("hyperv_clocksource_tsc_page tsc\n") }, "hyperv_"},
	} {
		m := metal
		c.change(&m)
		err := m.metal()
		if c.why == "" && err != nil || c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
}

func FuzzHypervisorBit(f *testing.F) {
	f.Add([]byte(cpuMetal))
	f.Add([]byte(cpuGuest))
	f.Fuzz(func(t *testing.T, cpuinfo []byte) {
		bit, err := hypervisorBit(cpuinfo)
		if err == nil && !bit && !strings.Contains(string(cpuinfo), "fpu") {
			t.Fatal("bare metal without flags")
		}
	})
}
