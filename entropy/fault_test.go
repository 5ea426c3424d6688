// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

//go:build fount_test

package entropy

import (
	"slices"
	"strings"
	"testing"

	"fount/internal/seam"
)

// Induced failures, through all of the package: the source is cut off and named,
// and the kernel's bytes come as before.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		source string
		fault  seam.Fault
		want   string
	}{
		{"rdrand", seam.FaultStuck, "cut off: it stands still"},
		{"rdrand", seam.FaultOnes, "cut off: it stands still"},
		{"rdrand", seam.FaultEmpty, "cut off: the processor gave no number"},
		{"rdseed", seam.FaultStuck, "cut off: it stands still"},
		{"rdseed", seam.FaultOnes, "cut off: it stands still"},
		{"jitter", seam.FaultStuck, "cut off: repetition count test"},
	} {
		if !setFault(test.source, test.fault) {
			t.Fatalf("no source %s", test.source)
		}
		for range 2 {
			checkFault(t, test.source, test.want)
		}
		setFault(test.source, seam.FaultNone)
		if names, _ := gatheredNames(); available(test.source) && !slices.Contains(names, test.source) {
			t.Errorf("%s: mended, but gathered were %v", test.source, names) // the control
		}
	}
}

func gatheredNames() (names []string, credit int) {
	Gather(func(name string, _ []byte, bits int) {
		names = append(names, name)
		credit += bits
	})
	return names, credit
}

func available(name string) bool {
	i := slices.IndexFunc(List(), func(st SourceStatus) bool { return st.Name == name })
	return List()[i].Available
}

func checkFault(t *testing.T, broken, want string) {
	t.Helper()
	names, credit := gatheredNames()
	if names[0] != "kernel" || credit != 256 || slices.Contains(names, broken) {
		t.Errorf("%s broken: gathered %v, %d bits", broken, names, credit)
	}
	for _, st := range List() {
		switch {
		case st.Name == broken && st.Available && (st.Healthy || !strings.HasPrefix(st.Why, want)):
			t.Errorf("%s broken: %+v, want %q", broken, st, want)
		case st.Name != broken && slices.Contains(names, st.Name) && !st.Healthy:
			t.Errorf("%s broken: %+v", broken, st)
		}
	}
}

// RDSEED that is empty is not broken: it is passed over, and comes back.
func TestFaultEmptyRDSEED(t *testing.T) {
	if !available("rdseed") {
		t.Skip("this processor or build has no RDSEED")
	}
	setFault("rdseed", seam.FaultEmpty)
	if names, _ := gatheredNames(); slices.Contains(names, "rdseed") {
		t.Errorf("gathered %v", names)
	}
	faults[probeRDSEED].Store(uint32(seam.FaultNone)) // SetFault would make it forget
	if names, _ := gatheredNames(); !slices.Contains(names, "rdseed") {
		t.Errorf("gathered %v", names)
	}
}

// A source that breaks after its start, and one whose raw samples are still given.
func TestFaultLater(t *testing.T) {
	setFault("jitter", seam.FaultNone)
	gatheredNames()
	faults[probeClock].Store(uint32(seam.FaultStuck))
	defer setFault("jitter", seam.FaultNone)
	raw := make([]byte, 500)
	raw[499] = 1
	RawJitter(raw)
	if raw[499] != 0 {
		t.Errorf("the last raw sample of a clock that stands still is %d", raw[499])
	}
	if why := jitterSource.status().Why; !strings.HasPrefix(why, "cut off: repetition count test") {
		t.Errorf("after raw samples that fail: %q", why)
	}
	checkFault(t, "jitter", "cut off: repetition count test")
}

func TestSetFaultUnknown(t *testing.T) {
	if setFault("kernel", seam.FaultStuck) {
		t.Error("setFault knows the kernel, which has SetRoute")
	}
}
