// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

// Tests of the signs of a hypervisor.

package machine

import "testing"

func TestSigns(t *testing.T) {
	for _, test := range []struct {
		name   string
		signs  signs
		want   Tri
		vendor string
	}{
		{"nothing known", signs{}, Unknown, ""},
		{"bit clear", signs{bit: No, dmi: "Dell Inc. PowerEdge R650"}, No, ""},
		{"bit set, nothing else", signs{bit: Yes, dmi: " "}, Yes, ""},
		{"bit clear, a cloud's own metal", signs{bit: No, dmi: "Amazon EC2 c5.metal"}, No, ""},
		{"bit clear, OpenStack's bare metal", signs{bit: No, dmi: "OpenStack Foundation OpenStack Nova"}, No, ""},
		{"no bit, a cloud's arm metal", signs{dmi: "Amazon EC2 m6g.metal"}, Unknown, ""},
		{"bit hidden, but the clock tells", signs{bit: No, clocks: "tsc kvm-clock"}, Yes, "KVM"},
		{"bit hidden, but Xen tells", signs{bit: No, hypervisor: "xen"}, Yes, "Xen"},
		{"arm guest", signs{deviceTree: "linux,dummy-virt,kvm"}, Yes, "KVM"},
		{"cloud before KVM", signs{bit: Yes, dmi: "Google Google Compute Engine", clocks: "kvm-clock tsc"}, Yes, "Google Compute Engine"},
		{"desktop guest", signs{bit: Yes, dmi: "innotek GmbH VirtualBox"}, Yes, "VirtualBox"},
		{"Microsoft's own laptop", signs{bit: No, dmi: "Microsoft Corporation Surface Laptop"}, No, ""},
	} {
		if got, vendor := test.signs.judge(); got != test.want || vendor != test.vendor {
			t.Errorf("%s: %s %q, want %s %q", test.name, got, vendor, test.want, test.vendor)
		}
	}
}
