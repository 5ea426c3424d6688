// Copyright 2026 The fount Authors. All rights reserved.
// Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

package calibrate

import (
	"math"
	"strings"
	"testing"
)

func TestCalibrationPlan(t *testing.T) {
	c := Calibration{Peak: 24, Workers: 7, Each: 64 << 20, Budget: 384 << 20, Rate: 50, Usable: 8}
	c.plan()
	// The memory is for 6 at once, which make 24/s. So 50/s are 12.5 at once, and an eighth of the cores is kept free.
	if math.Abs(c.Cores-100.0/7) > 1e-9 || c.Memory != 13*64<<20 {
		t.Errorf("%v cores, %d bytes; want 14.3, and 13 times 64 MiB", c.Cores, c.Memory)
	}
	// Two servers would be loaded to more than 0.85, so three must be left when one fails.
	if c.Servers != 4 || !strings.Contains(c.advice()[2], "4 servers") {
		t.Errorf("%d servers, %q; want 4", c.Servers, c.advice())
	}
	// What a CPU limit allows is enough, or is not.
	for rate, enough := range map[float64]bool{6: true, 7: false} {
		half := Calibration{Peak: 6.5, Workers: 1, Each: 64 << 20, Rate: rate, Usable: 0.5}
		if half.plan(); (half.Cores <= half.Usable) != enough || strings.Contains(half.advice()[1], "is enough") != enough {
			t.Errorf("%v/s: %v cores: %v; want %v", rate, half.Cores, half.advice(), enough)
		}
	}
}
